//! Grants, and the narrowing of queries to what a grant permits.

use std::borrow::Cow;

use super::compartment::{belongs_to_members, is_directory};
use super::scope::{Action, Level, Scope, ScopeSet};
use fhir::{Id, Issue, IssueCode, Reference, ResourceType};
use search::registry::{named, params_of};
use search::{
    Clause, Criterion, Handling, Hop, Include, Join, MAX_COUNT, MemberOf, Param, Query, Subquery, groups_named,
    included_types, is_followed,
};

/// The permissions of the holder of a verified token.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grant {
    /// The authorization that the token is based on. Revoking it ends the token at once. `None` for tokens of other
    /// issuers.
    pub id: Option<String>,
    /// The client that holds the token.
    pub client: String,
    /// The patient in context.
    pub patient: Option<Id>,
    /// The user, under the name of the user's access list in the store.
    pub user: Option<String>,
    /// The resource that describes the user (claim `fhirUser`). The scope `fhirUser` permits only a read of it.
    pub fhir_user: Option<Reference>,
    /// The granted scopes.
    pub scopes: ScopeSet,
    /// The names of the Groups to which the registration of the client limits it ([`groups_named`]). `None` if it does
    /// not.
    pub groups: Option<Vec<String>>,
    /// The purpose of the client, of which patients may opt out. `None` if its registration names none.
    pub purpose: Option<String>,
}

/// The authorization of a token. It has to be active when an answer is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Authorization {
    /// One of this server, by its id.
    Own(String),
    /// One of another issuer, which alone knows whether it is active. The operator of this server may have stopped its
    /// client, or its user.
    Foreign {
        /// The client.
        client: String,
        /// The user.
        user: Option<String>,
    },
}

impl Authorization {
    /// Returns a text that no other authorization has.
    pub fn key(&self) -> Cow<'_, str> {
        match self {
            Self::Own(id) => Cow::Borrowed(id),
            // The id of an own one has no such character.
            Self::Foreign { client, user } => {
                Cow::Owned([client, "\u{1f}", user.as_deref().unwrap_or_default()].concat())
            }
        }
    }
}

/// A list of patients that the store holds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PatientList {
    /// The patients whom this user may see.
    OfUser(String),
    /// All patients but those who have opted out of this purpose of clients. Resources that belong to no patient are
    /// included.
    OfPurpose(String),
}

/// The patients whose resources an access rule opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatientSet {
    /// All patients. Resources that belong to no patient are included.
    All,
    /// One patient.
    One(Id),
    /// The patients on this list.
    AccessList(PatientList),
    /// No patient: the rule opens resources that belong to none.
    Nobody,
}

/// The resources of a type that one scope of a grant opens: those of the patients that satisfy all the clauses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessRule {
    /// The patients.
    pub patients: PatientSet,
    /// The clauses of the scope's filter. An empty list opens all resources.
    pub only: Vec<Clause>,
}

impl AccessRule {
    /// Merges a filter for the same patients and parameter into this rule, which then opens either value; a store
    /// evaluates one clause. Negated clauses are not merged, since "no a, or no b" is not "neither a nor b".
    fn widen(&mut self, other: &Self) -> bool {
        match (self.only.as_mut_slice(), other.only.as_slice()) {
            ([own], [clause]) if self.patients == other.patients && are_alternatives(own, clause) => {
                own.any.extend(
                    clause.any.iter().filter(|criterion| !own.any.contains(criterion)).cloned().collect::<Vec<_>>(),
                );
                true
            }
            _ => false,
        }
    }

    /// Returns whether the rule opens everything that the other one does, judged by their clauses: each clause of this
    /// rule must follow from a clause of the other rule.
    fn covers(&self, other: &Self) -> bool {
        let implies = |given: &Clause, own: &Clause| {
            given == own
                || are_alternatives(given, own) && given.any.iter().all(|criterion| own.any.contains(criterion))
        };
        (self.patients == PatientSet::All || self.patients == other.patients)
            && self.only.iter().all(|own| other.only.iter().any(|given| implies(given, own)))
    }
}

/// Returns whether the values of two clauses are alternatives for the same parameter.
fn are_alternatives(one: &Clause, other: &Clause) -> bool {
    let is_plain = |clause: &Clause| !clause.negated && clause.also.is_none();
    one.param == other.param && is_plain(one) && is_plain(other)
}

/// A query or a read that a grant permits. Only this module makes one.
#[derive(Debug, Clone)]
pub struct Permitted<T> {
    request: T,
    authorization: Option<Authorization>,
    rules: Vec<AccessRule>,
    joins: Vec<PermittedJoin>,
    includes: Vec<Include>,
    included: Vec<(ResourceType, Vec<AccessRule>)>,
    left_out: Vec<(Include, ResourceType)>,
    closed: Vec<(String, ResourceType)>,
}

/// A join whose subqueries are all permitted, so that a store reads no resources that the grant does not open.
#[derive(Debug, Clone)]
pub struct PermittedJoin {
    name: String,
    hop: Hop,
    alternatives: Vec<Permitted<Subquery>>,
}

impl PermittedJoin {
    /// Returns the given joins and the joins nested in them, at any depth.
    pub fn all(joins: &[Self]) -> Vec<&Self> {
        let mut all = Vec::new();
        for join in joins {
            all.push(join);
            all.extend(join.alternatives.iter().flat_map(Permitted::all_joins));
        }
        all
    }

    /// Returns the parameter of the query, as written.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the reference.
    pub const fn hop(&self) -> Hop {
        self.hop
    }

    /// Returns whether this is a `_has` from Groups that are in no record: those of others than the patient in context.
    fn is_of_groups(&self) -> bool {
        let is_of_members = matches!(self.hop, Hop::From(param) if belongs_to_members(param.base));
        let others =
            |inner: &Permitted<Subquery>| inner.rules.iter().any(|rule| !matches!(rule.patients, PatientSet::One(_)));
        is_of_members && self.alternatives.iter().any(others)
    }

    /// Returns the condition on the patient, if this is a chain from `patient` by an identifier with its system, which
    /// names a patient as an id does.
    fn naming(&self) -> Option<&Permitted<Subquery>> {
        let names = |clause: &Clause| {
            clause.param.name == "identifier"
                && clause.names_resources()
                && clause.any.iter().all(Criterion::has_system)
        };
        let [inner] = self.alternatives.as_slice() else { return None };
        let is_from_patient = matches!(self.hop, Hop::To(param) if param.name == "patient");
        let is_of_patient = inner.request.resource_type == ResourceType::Patient;
        (is_from_patient && is_of_patient && inner.request.all.iter().any(names)).then_some(inner)
    }

    /// Adds the joins from Groups among these joins from resources of a type, and among the joins nested in the others.
    fn add_of_groups<'a>(joins: &'a [Self], resource_type: ResourceType, found: &mut Vec<(ResourceType, &'a Self)>) {
        for join in joins {
            if join.is_of_groups() {
                found.push((resource_type, join));
            } else {
                let inner = join.alternatives.iter();
                inner.for_each(|one| Self::add_of_groups(&one.joins, one.request.resource_type, found));
            }
        }
    }

    /// Replaces the joins of [`Self::add_of_groups`] by clauses, in the same order.
    fn answer_groups(joins: &mut Vec<Self>, all: &mut Vec<Clause>, clauses: &mut impl Iterator<Item = Clause>) {
        for mut join in std::mem::take(joins) {
            if join.is_of_groups() {
                all.extend(clauses.next());
            } else {
                for inner in &mut join.alternatives {
                    Self::answer_groups(&mut inner.joins, &mut inner.request.all, clauses);
                }
                joins.push(join);
            }
        }
    }

    /// Returns the conditions on the other resource, one for each possible type.
    pub fn alternatives(&self) -> &[Permitted<Subquery>] {
        &self.alternatives
    }
}

impl<T> Permitted<T> {
    /// Creates a request that these access rules permit, without joins or includes.
    const fn of(request: T, authorization: Option<Authorization>, rules: Vec<AccessRule>) -> Self {
        Self {
            request,
            authorization,
            rules,
            joins: Vec::new(),
            includes: Vec::new(),
            included: Vec::new(),
            left_out: Vec::new(),
            closed: Vec::new(),
        }
    }

    /// Returns the query or the read. A query's joins are in [`Self::joins`] instead.
    pub const fn request(&self) -> &T {
        &self.request
    }

    /// Returns the authorization that must be active at the time of the answer. `None` if there is no token.
    pub const fn authorization(&self) -> Option<&Authorization> {
        self.authorization.as_ref()
    }

    /// Returns the access rules of the request. At least one must open each resource.
    pub fn rules(&self) -> &[AccessRule] {
        &self.rules
    }

    /// Returns the joins, all of which must hold.
    pub fn joins(&self) -> &[PermittedJoin] {
        &self.joins
    }

    /// Returns the joins and the joins nested in them, at any depth.
    pub fn all_joins(&self) -> Vec<&PermittedJoin> {
        PermittedJoin::all(&self.joins)
    }

    /// Returns the includes. They add only resources of the types of [`Self::included`].
    pub fn includes(&self) -> &[Include] {
        &self.includes
    }

    /// Returns the types that includes may add, each with access rules. At least one of them must open a resource.
    pub fn included(&self) -> &[(ResourceType, Vec<AccessRule>)] {
        &self.included
    }

    /// Returns the access rules for resources of a type that includes may add. `None` if they add none of the type.
    pub fn rules_of_included(&self, resource_type: ResourceType) -> Option<&[AccessRule]> {
        self.included.iter().find(|(of, _)| *of == resource_type).map(|(_, rules)| rules.as_slice())
    }

    /// Returns the types that includes may lead to but the grant does not open, each with the first such include.
    pub fn left_out(&self) -> &[(Include, ResourceType)] {
        &self.left_out
    }

    /// Returns the types that a chain may lead to but the grant does not open, each with the parameter of the query.
    /// The grant opens other types of the chain.
    pub fn closed(&self) -> &[(String, ResourceType)] {
        &self.closed
    }
}

impl Permitted<Subquery> {
    /// Returns the search for all resources that satisfy the subquery of a join.
    pub fn as_search_with_joins(&self) -> Permitted<Query> {
        let mut search = Permitted { joins: self.joins.clone(), ..self.as_search(Vec::new()) };
        search.request.count = MAX_COUNT;
        search
    }

    /// Returns the search for resources that satisfy the subquery of a join, with these clauses in place of its joins.
    pub fn as_search(&self, of_joins: Vec<Clause>) -> Permitted<Query> {
        let Subquery { resource_type, all, .. } = &self.request;
        let query = Query { all: all.iter().cloned().chain(of_joins).collect(), ..Query::everything(*resource_type) };
        Permitted::of(query, self.authorization.clone(), self.rules.clone())
    }
}

impl Permitted<Query> {
    /// Returns the references that includes follow from resources of a type to types that the grant opens.
    pub fn followed(&self, from: ResourceType) -> Vec<&'static Param> {
        let forward = || self.includes.iter().filter(|include| !include.is_reverse);
        if forward().next().is_none() {
            return Vec::new();
        }
        let leads =
            |param: &Param| forward().any(|include| self.included.iter().any(|(to, _)| include.follows(param, *to)));
        params_of(from).filter(|param| is_followed(param) && leads(param)).collect()
    }

    /// Returns the parameters of the references by which reverse includes find resources.
    pub fn followed_back(&self) -> Vec<&'static Param> {
        let mut params: Vec<&'static Param> = Vec::new();
        for include in self.includes.iter().filter(|include| include.is_reverse) {
            let source = include.source.filter(|source| self.rules_of_included(*source).is_some());
            for param in source.into_iter().flat_map(|source| include.params(source)) {
                let to = || std::iter::once(self.request.resource_type).chain(self.included.iter().map(|(to, _)| *to));
                if !params.contains(&param) && to().any(|to| include.finds(param, to)) {
                    params.push(param);
                }
            }
        }
        params
    }

    /// Returns the search with these clauses in place of its joins.
    #[must_use]
    pub fn without_joins(&self, of_joins: Vec<Clause>) -> Self {
        let mut changed = Self { joins: Vec::new(), ..self.clone() };
        changed.request.all.extend(of_joins);
        changed
    }

    /// Returns the condition on the patients whom the search is about, if only a chain names them.
    pub fn naming_chain(&self) -> Option<&Permitted<Subquery>> {
        let is_open = !self.request.is_identifying() && !is_directory(self.request.resource_type);
        if is_open { self.joins.iter().find_map(PermittedJoin::naming) } else { None }
    }

    /// Returns the search of the records of these patients, to whom [`Self::naming_chain`] leads.
    #[must_use]
    pub fn of_patients(&self, patients: Vec<Id>) -> Self {
        let mut named = self.clone();
        named.request.patients = Some(patients);
        named
    }

    /// Returns the joins from Groups to members of a type, at any depth, except those nested in one another.
    pub fn group_joins(&self) -> Vec<(ResourceType, &PermittedJoin)> {
        let mut found = Vec::new();
        PermittedJoin::add_of_groups(&self.joins, self.request.resource_type, &mut found);
        found
    }

    /// Returns the search with these clauses in place of the joins of [`Self::group_joins`].
    #[must_use]
    pub fn with_members(&self, clauses: Vec<Clause>) -> Self {
        let mut changed = self.clone();
        PermittedJoin::answer_groups(&mut changed.joins, &mut changed.request.all, &mut clauses.into_iter());
        changed
    }

    /// Returns the read of a Binary for which this search ([`Grant::permits_carriers`]) found a resource that carries
    /// it. It reaches all patients, so the caller must check that the Binary belongs to the patients of that resource.
    pub fn read_of_carried(&self, binary: Id) -> Permitted<Reference> {
        Permitted::of(
            Reference { resource_type: ResourceType::Binary, id: binary },
            self.authorization.clone(),
            vec![AccessRule { patients: PatientSet::All, only: Vec::new() }],
        )
    }

    /// Returns the search with this number of matches on a page.
    #[must_use]
    pub fn limited(&self, count: usize) -> Self {
        let mut limited = self.clone();
        limited.request.count = count;
        limited
    }
}

/// The reasons for denying a query or a read. They depend only on the request and the token, never on stored data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// No scope opens the type.
    #[error("no scope opens {resource_type}: {needed} would")]
    Scope {
        /// The type that is not opened.
        resource_type: ResourceType,
        /// A scope that would suffice.
        needed: String,
    },
    /// The query names a patient to whom the token gives no access.
    #[error("the token does not open this patient: {needed} would")]
    Patient {
        /// A scope that would suffice.
        needed: String,
    },
    /// Neither the query nor the token names a patient.
    #[error("{}", .0.text)]
    Whose(Issue),
    /// The query has a chain or a `_has` from outside patients' records into them, or a `_has` in the other direction.
    #[error("{}", .0.text)]
    Join(Issue),
}

impl Grant {
    /// Returns the access rules by which the grant opens resources of that type. All permitted requests begin here.
    pub fn rules(&self, resource_type: ResourceType, action: Action) -> Vec<AccessRule> {
        let mut rules = self.rules_of_scopes(resource_type, action);
        if let Some(own) = self.own_groups(resource_type) {
            rules.iter_mut().for_each(|rule| rule.only.push(own.clone()));
        }
        rules
    }

    /// Returns whether the grant opens only those resources of that type that filters select.
    pub fn opens_partly(&self, resource_type: ResourceType) -> bool {
        let rules = self.rules(resource_type, Action::Search);
        !rules.is_empty() && rules.iter().all(|rule| !rule.only.is_empty())
    }

    /// Returns the clause of the Groups to which the client is limited, for the type Group.
    fn own_groups(&self, resource_type: ResourceType) -> Option<Clause> {
        self.groups.as_deref().filter(|_| resource_type == ResourceType::Group).map(groups_named)
    }

    /// Makes a search of Groups one for the Groups to which the client is limited, unless it names Groups or patients.
    fn name_own_groups(&self, resource_type: ResourceType, is_named: bool, all: &mut Vec<Clause>) {
        all.extend(self.own_groups(resource_type).filter(|_| !is_named));
    }

    fn rules_of_scopes(&self, resource_type: ResourceType, action: Action) -> Vec<AccessRule> {
        let mut rules: Vec<AccessRule> = Vec::new();
        for scope in self.scopes.resource_scopes().filter(|scope| scope.opens(resource_type, action)) {
            let patients = match (scope.level, &self.patient, &self.user) {
                (Level::System, _, _) => {
                    let list = |purpose| PatientSet::AccessList(PatientList::OfPurpose(purpose));
                    self.purpose.clone().map_or(PatientSet::All, list)
                }
                (Level::Patient, Some(patient), _) => PatientSet::One(patient.clone()),
                (Level::User, _, Some(user)) => PatientSet::AccessList(PatientList::OfUser(user.clone())),
                (Level::Public, _, _) => PatientSet::Nobody,
                // A patient scope without a patient, or a user scope without a user, opens nothing.
                (Level::Patient, None, _) | (Level::User, _, None) => continue,
            };
            let patients = if is_directory(resource_type) { PatientSet::All } else { patients };
            let rule = AccessRule { patients, only: scope.only.clone() };
            if !rules.contains(&rule) && !rules.iter_mut().any(|other| other.widen(&rule)) {
                rules.push(rule);
            }
        }
        // A single rule cannot be implied by another one.
        if rules.len() < 2 {
            return rules;
        }
        let unfiltered: Vec<_> =
            rules.iter().filter(|rule| rule.only.is_empty()).map(|rule| rule.patients.clone()).collect();
        let implied = |rule: &AccessRule| {
            let of_all = rule.patients != PatientSet::Nobody && unfiltered.contains(&PatientSet::All);
            of_all && (rule.patients != PatientSet::All || !rule.only.is_empty())
                || unfiltered.contains(&rule.patients) && !rule.only.is_empty()
        };
        rules.retain(|rule| !implied(rule));
        rules
    }

    /// Returns whether the grant opens everything of a type that another grant opens, judged by their scopes.
    #[must_use]
    pub fn covers(&self, other: &Self, resource_type: ResourceType, action: Action) -> bool {
        let own = self.rules(resource_type, action);
        let covered = |rule: &AccessRule| own.iter().any(|own| own.covers(rule));
        !own.is_empty() && other.rules(resource_type, action).iter().all(covered)
    }

    /// Permits a read by id. The store checks whether an access rule opens the resource. The user's own resource is
    /// always opened if the scope `fhirUser` was granted (SMART App Launch, "Scopes for requesting identity data").
    ///
    /// # Errors
    /// If no scope opens the type for reading.
    pub fn permits(&self, reference: Reference) -> Result<Permitted<Reference>, Denied> {
        let is_user = self.fhir_user.as_ref() == Some(&reference) && self.scopes.has("fhirUser");
        let rules = if is_user {
            vec![AccessRule { patients: PatientSet::All, only: Vec::new() }]
        } else {
            self.rules(reference.resource_type, Action::Read)
        };
        if rules.is_empty() {
            return Err(self.deny_type(reference.resource_type));
        }
        Ok(Permitted::of(reference, self.authorization(), rules))
    }

    /// Permits a search for the resources that carry a Binary, by the scopes that open them for reading. `None` if
    /// there is no such scope.
    pub fn permits_carriers(&self, mut query: Query) -> Option<Permitted<Query>> {
        let mut rules = self.rules(query.resource_type, Action::Read);
        rules.retain(|rule| rule.patients != PatientSet::Nobody);
        let is_of_one = |rule: &AccessRule| matches!(rule.patients, PatientSet::One(_));
        query.patients = self.patient.clone().filter(|_| rules.iter().all(is_of_one)).map(|patient| vec![patient]);
        (!rules.is_empty()).then(|| Permitted::of(query, self.authorization(), rules))
    }

    /// Permits the export of the results of a query, by the scopes of level `system` that open its type for reading.
    /// Chains and `_has` are denied, except chained parameters of the type.
    ///
    /// # Errors
    /// If no such scope opens the type, or the query has joins.
    pub fn exports(&self, mut query: Query) -> Result<Permitted<Query>, Denied> {
        let is_of_system =
            |_: &str, scope: &Scope| matches!(scope, Scope::Resource(scope) if scope.level >= Level::System);
        // An export leaves out by itself who has opted out, and tells how many.
        let own = Self { scopes: self.scopes.retained(is_of_system), purpose: None, ..self.clone() };
        let rules = own.rules(query.resource_type, Action::Read);
        if rules.is_empty() {
            let needed = format!("system/{}.r", query.resource_type);
            return Err(Denied::Scope { resource_type: query.resource_type, needed });
        }
        own.permit_chained(&mut query.all, &mut query.joins)?;
        if let Some(join) = query.joins.first() {
            let text = "An export cannot be filtered by resources that are not in it.";
            return Err(Denied::Join(Issue::error(IssueCode::NotSupported, text).about(join.name.clone())));
        }
        Ok(Permitted::of(query, self.authorization(), rules))
    }

    /// Permits a search, narrowed to what the grant opens, or denies it. The decision does not depend on stored data.
    /// `handling` is the value of `Prefer: handling=`: includes that the grant does not open are left out or, with
    /// strict handling, denied.
    ///
    /// # Errors
    /// If no scope opens the type, if the search asks for another patient than the one in context, or if neither the
    /// search nor the token names a patient.
    pub fn narrow(&self, mut query: Query, handling: Option<Handling>) -> Result<Permitted<Query>, Denied> {
        let mut rules = self.rules(query.resource_type, Action::Search);
        if rules.is_empty() {
            return Err(self.deny_type(query.resource_type));
        }
        self.permit_chained(&mut query.all, &mut query.joins)?;
        self.name_own_groups(query.resource_type, query.is_identifying(), &mut query.all);
        let mut closed = Vec::new();
        let joins = std::mem::take(&mut query.joins);
        let joins = joins.into_iter().map(|join| self.permit_join(join, query.resource_type, handling, &mut closed));
        let joins = joins.collect::<Result<Vec<_>, _>>()?;
        if !is_directory(query.resource_type) {
            let names = |join: &PermittedJoin| join.is_of_groups() || join.naming().is_some();
            let is_named = joins.iter().any(names);
            limit_to_records(&mut rules, &query, is_named);
            if rules.is_empty() {
                return Err(self.deny_type(query.resource_type));
            }
            self.narrow_patients(&mut query, &rules, is_named)?;
        }
        let includes = query.includes();
        let (mut included, mut left_out) = (Vec::new(), Vec::new());
        included_types(query.resource_type, &includes, &mut |include, resource_type| {
            let rules = self.rules(resource_type, Action::Search);
            let opens = !rules.is_empty();
            if opens {
                included.push((resource_type, rules));
            } else {
                left_out.push((*include, resource_type));
            }
            opens
        });
        if let (Some(Handling::Strict), Some((_, resource_type))) = (handling, left_out.first()) {
            return Err(self.deny_type(*resource_type));
        }
        let permitted = Permitted::of(query, self.authorization(), rules);
        Ok(Permitted { joins, includes, included, left_out, closed, ..permitted })
    }

    /// Permits chained parameters that are answered in one step. They disclose resources of their target type. If the
    /// grant opens that type only with filters, they become joins, which find only what these permit.
    fn permit_chained(&self, all: &mut Vec<Clause>, joins: &mut Vec<Join>) -> Result<(), Denied> {
        for clause in std::mem::take(all) {
            let rules = clause.param.via.map(|(_, to)| (to, self.rules(to, Action::Search)));
            match rules.filter(|(_, rules)| rules.iter().all(|rule| !rule.only.is_empty())) {
                None => all.push(clause),
                Some((to, rules)) => {
                    let join = clause.into_join().filter(|_| !rules.is_empty());
                    joins.push(join.ok_or_else(|| self.deny_type(to))?);
                }
            }
        }
        Ok(())
    }

    /// Permits a join from resources of a type. If it may lead to several types, it is enough that the grant opens one
    /// of them, unless the handling is strict; the others are added to `closed`.
    fn permit_join(
        &self,
        join: Join,
        resource_type: ResourceType,
        handling: Option<Handling>,
        closed: &mut Vec<(String, ResourceType)>,
    ) -> Result<PermittedJoin, Denied> {
        let Join { name, hop, alternatives } = join;
        let needs_all = alternatives.len() == 1 || handling == Some(Handling::Strict);
        let mut permitted = Vec::with_capacity(alternatives.len());
        let mut denied = None;
        for inner in alternatives {
            match self.permit_subquery(inner, handling, closed) {
                Ok(inner) => permitted.push(inner),
                Err(Denied::Scope { resource_type, needed }) if !needs_all => {
                    closed.push((name.clone(), resource_type));
                    denied.get_or_insert(Denied::Scope { resource_type, needed });
                }
                Err(other) => return Err(other),
            }
        }
        if let (true, Some(denied)) = (permitted.is_empty(), denied) {
            return Err(denied);
        }
        // A chain may lead into the directory; joins from there stay in it.
        let is_in_directory = is_directory(resource_type);
        let is_outside = |inner: &&Permitted<Subquery>| {
            let leads_there = is_directory(inner.request.resource_type);
            if is_in_directory { !leads_there } else { leads_there && matches!(hop, Hop::From(_)) }
        };
        if let Some(inner) = permitted.iter().find(is_outside) {
            let (code, text) = if is_in_directory {
                let to = inner.request.resource_type;
                let why = format!("in no record of a patient, and {to} in those of all: nothing says in which.");
                (IssueCode::TooCostly, format!("{resource_type} is {why}"))
            } else {
                let from = hop.param().base;
                (IssueCode::NotSupported, format!("{from} is in no record of a patient, from which \"_has\" leads."))
            };
            return Err(Denied::Join(Issue::error(code, text).about(name)));
        }
        let join = PermittedJoin { name, hop, alternatives: permitted };
        let is_named = |inner: &Permitted<Subquery>| inner.request.all.iter().any(Clause::names_resources);
        if join.is_of_groups() && !join.alternatives.iter().all(is_named) {
            let has = format!("_has:Group:{}", join.hop.param().name);
            let text = format!(
                "A Group is in the records of several patients, and only its id and identifiers tell in which: \
                 search by \"{has}:_id=…\" or \"{has}:identifier=…\"."
            );
            return Err(Denied::Join(Issue::error(IssueCode::TooCostly, text).about(join.name)));
        }
        Ok(join)
    }

    fn permit_subquery(
        &self,
        mut inner: Subquery,
        handling: Option<Handling>,
        closed: &mut Vec<(String, ResourceType)>,
    ) -> Result<Permitted<Subquery>, Denied> {
        let rules = self.rules(inner.resource_type, Action::Search);
        if rules.is_empty() {
            return Err(self.deny_type(inner.resource_type));
        }
        self.permit_chained(&mut inner.all, &mut inner.joins)?;
        let is_named = inner.all.iter().any(Clause::names_resources);
        self.name_own_groups(inner.resource_type, is_named, &mut inner.all);
        let joins = std::mem::take(&mut inner.joins);
        let joins = joins.into_iter().map(|join| self.permit_join(join, inner.resource_type, handling, closed));
        let joins = joins.collect::<Result<_, _>>()?;
        Ok(Permitted { joins, ..Permitted::of(inner, None, rules) })
    }

    /// Permits several searches like [`Self::narrow`], and returns the types of the searches that are denied because
    /// the grant does not open the type or the patient. `handling` is the value of `Prefer: handling=`: if it is
    /// strict, one denied search denies all of them.
    ///
    /// # Errors
    /// If it denies all of them, or if one of them does not name a patient.
    pub fn narrow_each(
        &self,
        queries: impl IntoIterator<Item = Query>,
        handling: Option<Handling>,
    ) -> Result<(Vec<Permitted<Query>>, Vec<ResourceType>), Denied> {
        let (mut searches, mut left_out, mut first) = (Vec::new(), Vec::new(), None);
        for query in queries {
            let resource_type = query.resource_type;
            match self.narrow(query, handling) {
                Ok(permitted) => searches.push(permitted),
                Err(denied @ (Denied::Scope { .. } | Denied::Patient { .. })) if handling != Some(Handling::Strict) => {
                    left_out.push(resource_type);
                    first.get_or_insert(denied);
                }
                Err(denied) => return Err(denied),
            }
        }
        match first {
            Some(denied) if searches.is_empty() => Err(denied),
            _ => Ok((searches, left_out)),
        }
    }

    /// Narrows the patients of a query. If there are only patient scopes, a search without a patient is narrowed to the
    /// patient in context, and any other patient is refused. `is_named` is true if joins name the patients.
    fn narrow_patients(&self, query: &mut Query, rules: &[AccessRule], is_named: bool) -> Result<(), Denied> {
        let own = |rule: &AccessRule| matches!(rule.patients, PatientSet::One(_));
        if let (Some(patient), true) = (&self.patient, rules.iter().all(own)) {
            if query.whose().is_some_and(|patients| patients.iter().any(|other| other != patient)) {
                return Err(Denied::Patient { needed: format!("user/{}.read", query.resource_type) });
            }
            query.patients.get_or_insert_with(|| vec![patient.clone()]);
        }
        // A resource that belongs to a patient is in the compartment, unless it is a Patient.
        let is_implied = |members: &MemberOf| {
            let of_them = |all: &Vec<Id>| all.iter().all(|patient| members.patients.contains(patient));
            query.resource_type != ResourceType::Patient && query.patients.as_ref().is_some_and(of_them)
        };
        if query.member_of.as_ref().is_some_and(is_implied) {
            query.member_of = None;
        }
        if is_named || query.is_identifying() || rules.iter().all(|rule| rule.patients == PatientSet::Nobody) {
            return Ok(());
        }
        let Query { resource_type, .. } = *query;
        let identifying = params_of(resource_type).filter(|param| param.identifying && param.in_us_core);
        let names: Vec<_> =
            named(resource_type, "patient").into_iter().chain(identifying).map(|param| param.name).collect();
        let text = format!("A search on {resource_type} needs one of these parameters: {}.", names.join(", "));
        let issue = Issue::error(IssueCode::Required, text).about(names.first().copied().unwrap_or("_id"));
        // A mere id may be that of a resource other than a patient.
        let owning = query.all.iter().map(|clause| clause.param).find(|param| param.owns && param.name != "patient");
        Err(Denied::Whose(match owning {
            Some(param) => issue.hint(format!("a patient as {}=Patient/id", param.name)),
            None => issue,
        }))
    }

    /// Returns the denial for a type. It names a scope that would suffice, at the level of the token's other scopes.
    fn deny_type(&self, resource_type: ResourceType) -> Denied {
        let level = self.scopes.resource_scopes().map(|scope| scope.level).min();
        let level = level.unwrap_or(if self.patient.is_some() { Level::Patient } else { Level::System });
        Denied::Scope { resource_type, needed: format!("{}/{resource_type}.read", level.name()) }
    }

    /// Returns the authorization of the token. `None` if there is no token.
    pub fn authorization(&self) -> Option<Authorization> {
        match &self.id {
            Some(id) => Some(Authorization::Own(id.clone())),
            None if self.client.is_empty() => None,
            None => Some(Authorization::Foreign { client: self.client.clone(), user: self.user.clone() }),
        }
    }

    /// Returns the client, user and patient, to which cursors are bound. They stay the same after a refresh.
    pub fn identity(&self) -> String {
        let part = |part: Option<&str>| part.unwrap_or_default().to_owned();
        [self.client.clone(), part(self.user.as_deref()), part(self.patient.as_ref().map(Id::as_str))].join("\u{1f}")
    }
}

/// Limits the rules of a search to those of patients' records, if it names patients or the token does, or else to those
/// of what belongs to nobody. A search that names resources may find either.
fn limit_to_records(rules: &mut Vec<AccessRule>, query: &Query, is_named: bool) {
    let is_of_nobody = |rule: &AccessRule| rule.patients == PatientSet::Nobody;
    let is_of_one = |rule: &AccessRule| matches!(rule.patients, PatientSet::One(_));
    if is_named || query.whose().is_some() || rules.iter().any(is_of_one) {
        rules.retain(|rule| !is_of_nobody(rule));
    } else if !query.is_identifying() && rules.iter().any(is_of_nobody) {
        rules.retain(is_of_nobody);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ResourceType as T;
    use search::parse;

    fn id(text: &str) -> Id {
        Id::parse(text).unwrap()
    }

    fn grant(scopes: &str) -> Grant {
        Grant {
            client: "app".into(),
            patient: Some(id("a")),
            user: Some("dr".into()),
            scopes: ScopeSet::parse(scopes).unwrap(),
            ..Grant::default()
        }
    }

    fn query(resource_type: T, parameters: &[(&str, &str)]) -> Query {
        let owned: Vec<_> = parameters.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        parse(resource_type, &owned, Handling::Strict, "http://here").unwrap()
    }

    #[test]
    fn a_patient_scope_without_a_patient_opens_nothing() {
        let nobody = Grant { patient: None, user: None, ..grant("patient/*.read user/*.read") };
        assert!(matches!(nobody.narrow(query(T::Observation, &[]), None), Err(Denied::Scope { .. })));
        assert!(nobody.rules(T::Practitioner, Action::Read).is_empty());
    }

    #[test]
    fn the_presence_of_a_name_names_no_resource() {
        let narrowed = |resource_type, name: &str, value: &str| {
            let mut query = query(resource_type, &[(name, value)]);
            query.all[0].any = vec![Criterion::Present];
            grant("system/*.read").narrow(query, None)
        };
        for (resource_type, name) in [(T::Observation, "_id"), (T::Encounter, "identifier"), (T::Patient, "_id")] {
            assert!(matches!(narrowed(resource_type, name, "x"), Err(Denied::Whose(_))), "{resource_type} {name}");
        }
        assert!(narrowed(T::Patient, "gender", "other").is_ok(), "its rows are searched as a whole");
        assert!(narrowed(T::Practitioner, "_id", "x").is_ok(), "the directory is listed");
    }

    #[test]
    fn each_type_is_opened_at_its_own_level() {
        let mixed = grant("user/Patient.read patient/Observation.read");
        assert_eq!(
            mixed.rules(T::Observation, Action::Search),
            [AccessRule { patients: PatientSet::One(id("a")), only: vec![] }]
        );
        assert_eq!(
            mixed.rules(T::Patient, Action::Search),
            [AccessRule { patients: PatientSet::AccessList(PatientList::OfUser("dr".into())), only: vec![] }]
        );
        assert!(mixed.rules(T::Condition, Action::Search).is_empty());
    }

    #[test]
    fn a_wider_rule_replaces_a_narrower_one() {
        let scopes = "patient/Observation.rs?category=a patient/Observation.read system/Observation.read";
        assert_eq!(
            grant(scopes).rules(T::Observation, Action::Read),
            [AccessRule { patients: PatientSet::All, only: vec![] }]
        );
        let scopes = "patient/Observation.rs?category=a patient/Observation.rs?category=b";
        let scopes = format!("{scopes} patient/Observation.rs?category=a&code=c user/Observation.rs?category=a");
        let rules = grant(&scopes).rules(T::Observation, Action::Read);
        let shape: Vec<Vec<usize>> =
            rules.iter().map(|o| o.only.iter().map(|clause| clause.any.len()).collect()).collect();
        assert_eq!(shape, [vec![2], vec![1, 1], vec![1]], "{rules:?}");
    }

    #[test]
    fn the_scope_fhir_user_opens_one_read_and_nothing_else() {
        let reference = |text: &str| Reference::parse(text).unwrap();
        let of = |scopes: &str, user: &str| Grant { fhir_user: Some(reference(user)), ..grant(scopes) };
        let all = [AccessRule { patients: PatientSet::All, only: vec![] }];
        for (scopes, user) in [
            ("openid fhirUser", "Practitioner/d"),
            ("openid fhirUser patient/Observation.read", "RelatedPerson/r"),
            ("openid fhirUser patient/Patient.s", "Patient/b"),
            ("openid fhirUser patient/Patient.rs?gender=female", "Patient/a"),
        ] {
            let permitted = of(scopes, user).permits(reference(user)).unwrap();
            assert_eq!((permitted.rules(), permitted.includes().len()), (&all[..], 0), "{scopes}");
        }
        let doctor = of("openid fhirUser", "Practitioner/d");
        for other in ["Practitioner/e", "Patient/d", "PractitionerRole/d"] {
            assert!(matches!(doctor.permits(reference(other)), Err(Denied::Scope { .. })), "{other}");
        }
        for search in [&[][..], &[("_id", "d")]] {
            let denied = doctor.narrow(query(T::Practitioner, search), None);
            assert!(matches!(denied, Err(Denied::Scope { .. })));
        }
        let include = query(T::PractitionerRole, &[("_include", "PractitionerRole:practitioner")]);
        let role = of("openid fhirUser patient/PractitionerRole.rs", "Practitioner/d").narrow(include, None);
        assert_eq!(role.unwrap().left_out().len(), 1, "it is no include");
        assert!(of("openid profile", "Practitioner/d").permits(reference("Practitioner/d")).is_err());
        let unnamed = Grant { fhir_user: None, ..doctor };
        assert!(unnamed.permits(reference("Practitioner/d")).is_err(), "the token names nobody");
    }

    #[test]
    fn an_export_needs_a_scope_of_the_system_to_read() {
        let exports = |scopes: &str, on, search: &[(&str, &str)]| grant(scopes).exports(query(on, search));
        for (scopes, opens) in [
            ("system/Observation.r", true),
            ("system/Observation.rs", true),
            ("system/*.read", true),
            ("system/Observation.s", false),
            ("patient/Observation.rs user/Observation.rs", false),
            ("system/Condition.rs", false),
        ] {
            assert_eq!(exports(scopes, T::Observation, &[]).is_ok(), opens, "{scopes}");
        }
        let granular = "patient/Observation.rs system/Observation.rs?category=survey";
        let permitted = exports(granular, T::Observation, &[("code", "a")]).unwrap();
        assert_eq!((permitted.rules().len(), permitted.rules()[0].only.len()), (1, 1), "{permitted:?}");
        // The directory is open to everybody, but a user's token does not open it for an export.
        assert!(exports("patient/Practitioner.rs", T::Practitioner, &[]).is_err());
        let chained = [("practitioner.name", "x")];
        assert!(exports("system/PractitionerRole.rs", T::PractitionerRole, &chained).is_err());
        assert!(exports("system/*.rs", T::PractitionerRole, &chained).is_ok());
        let joined = exports("system/*.rs", T::Condition, &[("encounter.status", "finished")]);
        assert!(matches!(joined, Err(Denied::Join(_))));
    }

    #[test]
    fn joins_stay_in_the_directory_and_do_not_begin_there_for_records() {
        let narrowed = |base, name: &str| grant("patient/*.read").narrow(query(base, &[(name, "x")]), None);
        for (base, name) in [
            (T::Encounter, "location.name"),
            (T::CareTeam, "participant.name"),
            (T::CareTeam, "participant:PractitionerRole.practitioner._id"),
            (T::Practitioner, "_has:PractitionerRole:practitioner:specialty"),
            (T::PractitionerRole, "organization:Organization._has:Location:organization:name"),
        ] {
            assert!(narrowed(base, name).is_ok(), "{base} {name}");
        }
        for (base, name) in [
            (T::Location, "_has:Encounter:location:status"),
            (T::Organization, "_has:Location:organization:_has:Encounter:location:status"),
            (T::Encounter, "location._has:Encounter:location:status"),
        ] {
            assert!(matches!(narrowed(base, name), Err(Denied::Join(_))), "{base} {name}");
        }
    }

    #[test]
    fn nothing_goes_on_from_an_include_that_is_left_out() {
        let further = |iterated: &str| {
            let include = [("_include", "Encounter:location:Location"), ("_include:iterate", iterated)];
            let scopes = "patient/Encounter.rs patient/Organization.rs patient/Endpoint.rs";
            let permitted = grant(scopes).narrow(query(T::Encounter, &include), None).unwrap();
            let included: Vec<_> = permitted.included().iter().map(|(on, _)| *on).collect();
            (included, permitted.left_out().iter().map(|(_, on)| *on).collect::<Vec<_>>())
        };
        assert_eq!(further("Location:organization"), (Vec::new(), vec![T::Location]));
        assert_eq!(further("Encounter:service-provider").0, [T::Organization]);
    }
}
