//! The selection of an export: the types and, for each type, the resources that the scopes open and the filters find.

use std::collections::BTreeSet;
use std::ops::Deref;

use percent_encoding::percent_decode_str;

use super::keys::publication_of;
use super::request::{ExportLevel, ExportRequest};
use fhir::{DigestOfParts, Id, Issue, IssueCode, Micros, Reference, ResourceType, Subset};
use search::{Clause, Handling, IndexSet, Param, ParseContext, Query, changed_between, parse_in};
use smart::{Denied, Grant, Owner, Permitted, PublicScopes, ScopeSet, belongs_to_nobody, is_directory};
use store::names::compartments;
use store::{AccessLists, Candidate, matches};

/// The number of the form of parts. Parts of another form are made again.
const FORM: &str = "2";

/// The context in which the queries of an export are parsed.
#[derive(Debug, Clone, Copy)]
pub struct SelectionContext<'a> {
    /// The parameters by which the store is indexed.
    pub set: &'static IndexSet,
    /// The URL of this server's FHIR base.
    pub base: &'a str,
    /// The time of the request.
    pub now: Micros,
}

/// The selection of an export, with its digest.
#[derive(Debug)]
pub struct Selection {
    rules: SelectionRules,
    digest: DigestOfParts,
}

/// The rules of a selection. Everything that determines the contents of a part must be in here, since exports share
/// parts by the digest of this whole value.
#[derive(Debug)]
pub struct SelectionRules {
    /// The parameters by which the store is indexed.
    pub set: &'static IndexSet,
    /// True for an export of patients, in which resources of the directory are only included if others refer to them.
    pub is_of_patients: bool,
    /// The types, in the order of their names.
    pub types: Vec<TypeSelection>,
    /// The ids of the patients. `None` means all patients.
    patients: Option<BTreeSet<String>>,
    /// The ids of those among them who have opted out of the purpose of the client, in order.
    left_out: Vec<String>,
    /// True if the resources of each patient are one block.
    pub by_patient: bool,
    /// The name of the publication, if the public directory is published ([`publication_of`]).
    pub publication: Option<String>,
}

impl Deref for Selection {
    type Target = SelectionRules;

    fn deref(&self) -> &SelectionRules {
        &self.rules
    }
}

/// The selection of an export from a type.
#[derive(Debug)]
pub struct TypeSelection {
    pub resource_type: ResourceType,
    /// The queries, at least one of which must find a resource.
    queries: Vec<Permitted<Query>>,
    /// The selection without conditions on the time of change, for resources to which others refer.
    referred: Vec<Permitted<Query>>,
    /// The exported elements.
    pub elements: Subset,
}

/// Parses a query of `_typeFilter`: `Type?name=value`, without further encoding of the whole.
///
/// # Errors
/// All faults of the query. It must not have parameters that shape an answer, or joins.
pub fn parse_filter(context: &SelectionContext<'_>, filter: &str) -> Result<Query, Vec<Issue>> {
    let fault = |code, text: String| vec![Issue::error(code, text).about("_typeFilter")];
    let (name, query) = filter.split_once('?').unwrap_or((filter, ""));
    let unknown = || fault(IssueCode::NotSupported, format!("\"{name}\" is no type of this server."));
    let served = ResourceType::parse(name).filter(|one| ResourceType::served().contains(one));
    let resource_type = served.ok_or_else(unknown)?;
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let pair = |part: &str| part.split_once('=').map(|(name, value)| (decoded(name), decoded(value)));
    let parameters: Option<Vec<_>> = query.split('&').filter(|part| !part.is_empty()).map(pair).collect();
    let wrong = || fault(IssueCode::Value, format!("The filter of {resource_type} is not name=value."));
    let parameters = parameters.ok_or_else(wrong)?;
    let SelectionContext { set, base, now } = *context;
    let query = parse_in(&ParseContext { set, now, handling: Handling::Strict, base }, resource_type, &parameters)?;
    let whole = Query {
        all: query.all.clone(),
        about: query.about.clone(),
        member_of: query.member_of.clone(),
        patients: query.patients.clone(),
        now: query.now,
        parameters: query.parameters.clone(),
        ..Query::everything(resource_type)
    };
    let is_chained = |clause: &Clause| clause.param.via.is_some();
    if !query.joins.is_empty() || (is_directory(resource_type) && query.all.iter().any(is_chained)) {
        let text = format!("The filter of {resource_type} asks for resources that are not in the export.");
        return Err(fault(IssueCode::NotSupported, text));
    }
    if query != whole {
        let why = "has a parameter that shapes an answer, such as _include or _sort.";
        return Err(fault(IssueCode::Value, format!("The filter of {resource_type} {why}")));
    }
    Ok(query)
}

impl Selection {
    /// Returns the selection that a request describes, without the patients who have opted out, which are in order.
    ///
    /// # Errors
    /// If the scopes do not open a type, or a filter cannot be parsed. The text is the reason, for the client.
    pub fn of(
        request: &ExportRequest,
        context: &SelectionContext<'_>,
        mut opted_out: Vec<String>,
    ) -> Result<Self, String> {
        let ExportRequest { level, scopes, types, since, until, filters, elements, patients, by_patient, .. } = request;
        let known = |text: &String| ResourceType::parse(text).ok_or_else(|| format!("{text} is no type"));
        let types: Vec<_> = types.iter().map(known).collect::<Result<_, _>>()?;
        // The order in which they are written has no effect.
        let [scopes, filters, elements] = [scopes.split(' ').collect(), texts(filters), texts(elements)];
        let scopes = Vec::from_iter(scopes).join(" ");
        let is_public = *level == ExportLevel::Public;
        let scopes = if is_public {
            PublicScopes::parse(&scopes)?.grant().scopes
        } else {
            ScopeSet::parse(&scopes).map_err(|error| format!("{}: {}", error.scope, error.reason))?
        };
        let parsed = filters.into_iter().map(|filter| parse_filter(context, filter));
        let parsed: Vec<Query> = parsed
            .collect::<Result<_, _>>()
            .map_err(|issues| issues.first().map_or_else(String::new, |issue| issue.text.clone()))?;
        let grant = Grant { scopes, groups: request.groups.clone(), ..Grant::default() };
        let selected = |resource_type: ResourceType| {
            let own: Vec<Query> = parsed.iter().filter(|query| query.resource_type == resource_type).cloned().collect();
            let own = if own.is_empty() { vec![Query::everything(resource_type)] } else { own };
            let changed = changed_between(resource_type, *since, *until);
            let with_changes = |query: &Query| {
                let all = query.all.iter().chain(&changed).cloned().collect();
                Query { all, ..query.clone() }
            };
            let permit = |query: Query| grant.exports(query).map_err(|denied| why_denied(&denied));
            let queries = own.iter().map(with_changes).map(permit).collect::<Result<_, _>>()?;
            let referred: Vec<Permitted<Query>> = own.into_iter().map(permit).collect::<Result<_, _>>()?;
            let has_chain =
                |permitted: &Permitted<Query>| clauses_of(permitted).any(|clause| clause.param.via.is_some());
            if is_directory(resource_type) && referred.iter().any(has_chain) {
                return Err(format!("the scopes of {resource_type} ask for other resources"));
            }
            let elements = elements_of(resource_type, &elements);
            Ok(TypeSelection { resource_type, queries, referred, elements })
        };
        let mut types: Vec<TypeSelection> = types.into_iter().map(selected).collect::<Result<_, String>>()?;
        types.sort_unstable_by_key(|of| of.resource_type.name());
        opted_out.retain(|patient| patients.as_ref().is_none_or(|patients| patients.contains(patient)));
        let rules = SelectionRules {
            set: context.set,
            is_of_patients: matches!(level, ExportLevel::Patient | ExportLevel::Group),
            types,
            patients: patients.as_ref().map(|patients| patients.iter().cloned().collect()),
            left_out: opted_out,
            by_patient: *by_patient,
            publication: is_public.then(|| publication_of(&request.scopes)),
        };
        let mut digest = DigestOfParts::default();
        digest.add(FORM).add(format!("{rules:?}"));
        Ok(Self { rules, digest })
    }

    /// Returns the digest of the selection, to which a part adds its contents.
    pub fn digest(&self) -> DigestOfParts {
        self.digest.clone()
    }
}

impl SelectionRules {
    /// Returns the type, with its position in the export. `None` if it is not exported.
    pub fn of_type(&self, resource_type: ResourceType) -> Option<(usize, &TypeSelection)> {
        self.types.iter().enumerate().find(|(_, of)| of.resource_type == resource_type)
    }

    /// Returns whether deletions of resources of the type are reported, for an export since a time. They are not if
    /// patients are listed or left out, or only a part of the type is exported: nothing shows whether they were in it.
    pub fn tells_deletion(&self, resource_type: ResourceType) -> bool {
        self.patients.is_none()
            && self.left_out.is_empty()
            && self.of_type(resource_type).is_some_and(|(_, of)| is_everything(&of.referred))
    }

    /// Returns whether the export lists patients.
    pub const fn names_patients(&self) -> bool {
        self.patients.is_some()
    }

    /// Returns the number of patients who have opted out.
    pub fn opted_out(&self) -> usize {
        self.left_out.len()
    }

    /// Returns whether charts of a compartment may have resources to export.
    pub fn has_compartment(&self, compartment: &str) -> bool {
        compartment.starts_with('_') || (self.publication.is_none() && self.has_patient(compartment))
    }

    fn has_opted_out(&self, patient: &str) -> bool {
        self.left_out.binary_search_by(|other| other.as_str().cmp(patient)).is_ok()
    }

    fn has_patient(&self, patient: &str) -> bool {
        !self.has_opted_out(patient) && self.patients.as_ref().is_none_or(|patients| patients.contains(patient))
    }

    /// Returns whether a resource in the charts of a compartment is exported, according to its owner. A resource in
    /// several compartments is exported from the first one.
    pub fn has_owner(&self, compartment: &str, resource_type: ResourceType, id: &str, owner: &Owner) -> bool {
        if owner.sole().is_some() {
            return true;
        }
        let Some(id) = Id::parse(id) else { return false };
        // As for reads (`chart::opens`): a Group only has the ids of its members, and a Binary without an owner belongs
        // to the patients of the resources that carry it.
        let is_open = match resource_type {
            ResourceType::Group => true,
            ResourceType::Binary if owner.patients().next().is_none() => self.left_out.is_empty(),
            _ => !owner.patients().any(|patient| self.has_opted_out(patient.as_str())),
        };
        if !is_open {
            return false;
        }
        let is_in = |patient: &Id| self.has_patient(patient.as_str());
        let needs_patient = self.is_of_patients || owner.patients().next().is_some();
        if needs_patient && !owner.patients().any(is_in) {
            return false;
        }
        let of_export = |other: &String| self.has_compartment(other);
        compartments(resource_type, &id, owner).into_iter().find(of_export).is_some_and(|first| first == compartment)
    }

    /// Returns whether a reference leads to a resource that is exported with those that refer to it.
    pub fn follows(&self, reference: &Reference) -> bool {
        let resource_type = reference.resource_type;
        (is_directory(resource_type) || is_shared(resource_type)) && self.of_type(resource_type).is_some()
    }
}

/// Returns whether resources of a type outside the directory may be exported with those that refer to them, because
/// they belong to nobody.
pub fn is_shared(resource_type: ResourceType) -> bool {
    belongs_to_nobody(resource_type) || resource_type == ResourceType::Device
}

impl TypeSelection {
    /// Returns whether all resources are exported.
    pub fn is_everything(&self) -> bool {
        is_everything(&self.queries)
    }

    /// Returns the clauses of the queries.
    pub fn clauses(&self) -> impl Iterator<Item = &Clause> {
        self.queries.iter().flat_map(clauses_of)
    }

    /// Returns the parameters by which charts must be indexed, except the time of change, which they may lack.
    pub fn params(&self) -> impl Iterator<Item = &'static Param> {
        self.referred.iter().flat_map(clauses_of).flat_map(Clause::parts).map(|(param, _)| param)
    }

    /// Returns whether a query finds a resource of a compartment.
    pub fn takes<'a, R: Candidate<'a>>(&'a self, compartment: Option<&str>, row: R) -> bool {
        self.queries.iter().any(|permitted| finds(permitted, compartment, row))
    }

    /// Returns whether a query finds a resource to which others refer, whenever it was changed.
    pub fn takes_referred<'a, R: Candidate<'a>>(&'a self, row: R) -> bool {
        self.referred.iter().any(|permitted| finds(permitted, None, row))
    }
}

/// Returns whether at least one of the queries finds all resources of its type.
fn is_everything(queries: &[Permitted<Query>]) -> bool {
    queries.iter().any(|permitted| {
        let query = permitted.request();
        let is_open = permitted.rules().iter().any(|rule| rule.only.is_empty());
        is_open && query.all.is_empty() && query.patients.is_none()
    })
}

/// Returns whether a query finds a resource of a compartment. A query that names patients concerns their compartments.
fn finds<'a, R: Candidate<'a>>(permitted: &'a Permitted<Query>, compartment: Option<&str>, row: R) -> bool {
    let is_named = |patients: &Vec<Id>| patients.iter().any(|patient| Some(patient.as_str()) == compartment);
    permitted.request().patients.as_ref().is_none_or(is_named) && matches(permitted, &AccessLists::new(), row)
}

fn clauses_of(permitted: &Permitted<Query>) -> impl Iterator<Item = &Clause> {
    permitted.request().all.iter().chain(permitted.rules().iter().flat_map(|rule| &rule.only))
}

/// Returns the texts, sorted and without duplicates.
fn texts(all: &[String]) -> BTreeSet<&str> {
    all.iter().map(String::as_str).collect()
}

fn elements_of(resource_type: ResourceType, elements: &BTreeSet<&str>) -> Subset {
    let own = elements.iter().filter_map(|element| match element.split_once('.') {
        Some((of, name)) => (of == resource_type.name()).then_some(name),
        None => Some(*element),
    });
    let own: Vec<String> = own.map(str::to_owned).collect();
    if own.is_empty() { Subset::Whole } else { Subset::Elements(own) }
}

fn why_denied(denied: &Denied) -> String {
    match denied {
        Denied::Scope { resource_type, needed } => format!("the scopes do not open {resource_type}: {needed}"),
        Denied::Patient { needed } => format!("the scopes do not open it: {needed}"),
        Denied::Whose(issue) | Denied::Join(issue) => issue.text.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::subsequence;

    const SCOPES: [&str; 10] = [
        "system/*.rs",
        "system/*.r",
        "system/Observation.rs",
        "system/Observation.rs?category=laboratory",
        "system/Observation.r?category=survey",
        "system/Observation.rs?category=laboratory&status=final",
        "system/Observation.rs?status=final",
        "system/Condition.r",
        "system/Condition.rs?clinical-status=active",
        "user/Observation.rs",
    ];
    const TYPES: [&str; 3] = ["Patient", "Observation", "Condition"];

    fn request(scopes: &[&str], types: &[&str]) -> ExportRequest {
        ExportRequest {
            scopes: scopes.join(" "),
            types: types.iter().map(|of| (*of).to_owned()).collect(),
            ..ExportRequest::default()
        }
    }

    fn digest(request: &ExportRequest) -> Option<String> {
        let context = SelectionContext { set: IndexSet::of_r4(), base: "https://here", now: 0 };
        Selection::of(request, &context, Vec::new()).ok().map(|selection| selection.digest().text::<32>())
    }

    proptest! {
        #[test]
        fn ex08_a_digest_is_that_of_the_rules_of_each_type(
            one in subsequence(&SCOPES[..], 1..6),
            other in subsequence(&SCOPES[..], 1..6).prop_shuffle(),
            types in subsequence(&TYPES[..], 1..3),
        ) {
            let rules = |scopes: &[&str]| {
                let grant = Grant { scopes: ScopeSet::parse(&scopes.join(" ")).unwrap(), ..Grant::default() };
                let of = |name: &&str| grant.exports(Query::everything(ResourceType::parse(name).unwrap())).ok();
                let texts = |of: Permitted<Query>| {
                    let rules = of.rules().iter().map(|rule| {
                        let clauses = rule.only.iter().map(|clause| {
                            let mut any: Vec<_> = clause.any.iter().map(|one| format!("{one:?}")).collect();
                            any.sort_unstable();
                            format!("{} {} {any:?}", clause.param.name, clause.negated)
                        });
                        clauses.collect::<BTreeSet<_>>()
                    });
                    rules.collect::<BTreeSet<_>>()
                };
                types.iter().map(of).map(|of| of.map(texts)).collect::<Option<Vec<_>>>()
            };
            let digests = [&one, &other].map(|scopes| digest(&request(scopes, &types)));
            prop_assert_eq!(digests[0] == digests[1], rules(&one) == rules(&other), "{:?} {:?}", one, other);
        }
    }

    #[test]
    fn whatever_narrows_an_export_is_in_its_digest_and_the_order_is_not() {
        let plain = request(&["system/*.rs"], &TYPES);
        let texts = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        let same = [
            ExportRequest { url: "x".to_owned(), notes: texts(&["y"]), ..plain.clone() },
            ExportRequest { types: texts(&["Condition", "Patient", "Observation"]), ..plain.clone() },
            ExportRequest { scopes: "system/Observation.rs?status=final system/*.rs".to_owned(), ..plain.clone() },
        ];
        let others = [
            plain.clone(),
            ExportRequest { level: ExportLevel::Patient, ..plain.clone() },
            ExportRequest { since: Some(1), ..plain.clone() },
            ExportRequest { until: Some(1), ..plain.clone() },
            ExportRequest { filters: texts(&["Observation?status=final"]), ..plain.clone() },
            ExportRequest { filters: texts(&["Observation?status=final", "Observation?code=x"]), ..plain.clone() },
            ExportRequest { elements: texts(&["name"]), ..plain.clone() },
            ExportRequest { elements: texts(&["Patient.name"]), ..plain.clone() },
            ExportRequest { patients: Some(Vec::new()), ..plain.clone() },
            ExportRequest { patients: Some(texts(&["a"])), ..plain.clone() },
            ExportRequest { by_patient: true, ..plain.clone() },
            ExportRequest { types: texts(&TYPES[..2]), ..plain.clone() },
        ];
        assert!(same.iter().all(|one| digest(one) == digest(&plain)));
        let digests: BTreeSet<_> = others.iter().map(digest).collect();
        assert_eq!(digests.len(), others.len());
        assert!(!digests.contains(&None));
    }
}
