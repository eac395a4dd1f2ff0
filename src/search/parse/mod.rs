//! The parser of query strings (<https://hl7.org/fhir/R4/search.html>). It finds every error of form. Later steps
//! (`docs/architecture.md`) check the patients, cursors, costs and the index.

mod names;

use super::clause::Clause;
use super::include::{Include, included_types};
use super::index_set::IndexSet;
use super::join::{Hop, Join, Subquery};
use super::kind::{Criterion, IndexForm, MISSING_VALUES, Modifier, OfType, Presence, RawValue, split};
use super::members::member_of;
use super::param::Param;
use super::query::{MemberOf, Query};
use super::registry::{membership, presence};
use super::result_param::{REPEATED, RESULT_PARAMS, shape};
use fhir::{Id, Issue, IssueCode, Micros, Reference, ResourceType, Subset, quoted};
use names::Name;

/// The most parameters in one query.
const MAX_PARAMETERS: usize = 100;
/// The most clauses. With the longest lists of values, the statement stays below D1's limit of 100,000 bytes.
const MAX_CLAUSES: usize = 40;
/// The most values of one parameter: three levels of five, see `store/sql/source.rs`.
const MAX_VALUES: usize = 125;
/// The most values in one query: each is compared with every candidate.
const MAX_VALUES_IN_ALL: usize = 250;
/// The most types of resources that the joins of a query lead to.
const MAX_JOINED_TYPES: usize = 12;
/// The most charts in which a query looks for those resources: charts of those types, for each patient.
const MAX_JOINED_CHARTS: usize = 125;
/// The hint of a refusal for too many values.
const SPLIT: &str = "split the list over several searches";

/// The treatment of unknown parameters (`Prefer: handling=…`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handling {
    /// The search is refused.
    Strict,
    /// The parameter is ignored, with a warning in the answer.
    Lenient,
}

/// The circumstances in which the parameters of a search are parsed.
#[derive(Debug, Clone, Copy)]
pub struct ParseContext<'a> {
    /// The parameters by which the store is indexed. Any other counts as unknown.
    pub set: &'static IndexSet,
    /// The moment from which the prefix `ap` measures the distance to a date.
    pub now: Micros,
    /// The handling of unknown parameters.
    pub handling: Handling,
    /// The URL of this server's FHIR base. Absolute references below it are local ones.
    pub base: &'a str,
}

/// Parses the decoded parameters of a search on a type as [`parse_in`] does, with all supported parameters. The prefix
/// `ap` measures from 1970 here: use [`parse_in`] for searches with it, and for a store with fewer parameters.
///
/// ```
/// use fhir::ResourceType;
/// use search::{Handling, parse};
///
/// let parameters = [("patient", "amara"), ("code", "http://loinc.org|4548-4"), ("date", "ge2024")];
/// let parameters = parameters.map(|(name, value)| (name.to_owned(), value.to_owned()));
/// let query = parse(ResourceType::Observation, &parameters, Handling::Strict, "https://example.org/fhir").unwrap();
/// assert_eq!(query.patients.unwrap()[0].as_str(), "amara");
/// assert_eq!(query.all[0].describe(), "code is 4548-4 of http://loinc.org");
///
/// let unknown = [("colour".to_owned(), "red".to_owned())];
/// let issues = parse(ResourceType::Observation, &unknown, Handling::Strict, "").unwrap_err();
/// assert_eq!(issues[0].text, "Observation has no search parameter \"colour\".");
/// ```
///
/// # Errors
/// All faults of the query.
pub fn parse(
    resource_type: ResourceType,
    parameters: &[(String, String)],
    handling: Handling,
    base: &str,
) -> Result<Query, Vec<Issue>> {
    parse_in(&ParseContext { set: IndexSet::of_r4(), now: 0, handling, base }, resource_type, parameters)
}

/// Parses the decoded parameters of a search on a type. A page has 50 matches unless `_count` says otherwise, and at
/// most [`super::MAX_COUNT`].
///
/// # Errors
/// All faults of the query. It has at most 100 parameters, 125 values of one and 250 values in all.
pub fn parse_in(
    context: &ParseContext<'_>,
    resource_type: ResourceType,
    parameters: &[(String, String)],
) -> Result<Query, Vec<Issue>> {
    if parameters.len() > MAX_PARAMETERS {
        let text = format!("A search takes at most {MAX_PARAMETERS} parameters, and this has {}.", parameters.len());
        return Err(vec![Issue::error(IssueCode::TooCostly, text)]);
    }
    let mut parser = Parser { query: Query::everything(resource_type), context, shaped: Vec::new(), values: 0 };
    let mut issues = Vec::new();
    for (name, value) in parameters {
        if let Err(issue) = parser.take(name, value) {
            issues.push(if issue.parameter.is_none() { issue.about(name.clone()) } else { issue });
        }
    }
    if let Err(issue) = parser.check_sources() {
        issues.push(issue);
    }
    parser.query.member_of = patients_of_members(&parser.query);
    if issues.is_empty() {
        issues.extend(too_many_lookups(&parser.query).or_else(|| includes_in_text(&parser.query)));
        issues.extend(too_many_charts(&parser.query));
    }
    if issues.is_empty() { Ok(parser.query) } else { Err(issues) }
}

/// Returns the patients whose Groups a search requests, if it has no other condition on patients.
fn patients_of_members(query: &Query) -> Option<MemberOf> {
    let of_group =
        |clause: &&Clause| clause.param.base == ResourceType::Group && clause.param.name == "member" && !clause.negated;
    let clause = query.all.iter().find(of_group).filter(|_| !query.is_identifying())?;
    let patient = |criterion: &Criterion| {
        let named = Reference::parse(criterion.reference()?)?;
        (named.resource_type == ResourceType::Patient).then_some(named.id)
    };
    let patients = clause.any.iter().map(patient).collect::<Option<_>>()?;
    member_of(patients, query.resource_type)
}

/// Refuses a long list of values for many patients, because a store looks up each value for each patient. Dates, ids,
/// negated clauses and values that name the patients are not looked up in this way.
fn too_many_lookups(query: &Query) -> Option<Issue> {
    let patients = query.patients.as_ref()?.len();
    let is_listed =
        |clause: &&Clause| !clause.negated && !clause.param.owns && clause.param.kind.index_form() == IndexForm::Keys;
    let clause = query.all.iter().filter(is_listed).find(|clause| clause.any.len() * patients > MAX_VALUES)?;
    let (name, values) = (clause.param.name, clause.any.len());
    let text = format!("{values} values of \"{name}\" for {patients} patients are more than {MAX_VALUES} in all.");
    Some(Issue::error(IssueCode::TooCostly, text).about(name).hint(SPLIT))
}

/// Refuses joins that lead to too many types, or for too many patients or resources, because a store reads each type of
/// each record.
fn too_many_charts(query: &Query) -> Option<Issue> {
    let name = query.joins.first()?.name.as_str();
    let types = query.joined_types().len();
    let records =
        query.patients.as_ref().map(Vec::len).or_else(|| query.all.iter().find_map(Clause::ids).map(|ids| ids.len()));
    let text = if types > MAX_JOINED_TYPES {
        format!("The chains and \"_has\" of a search lead to at most {MAX_JOINED_TYPES} types, and these to {types}.")
    } else if types * records.unwrap_or(0) > MAX_JOINED_CHARTS {
        format!("Chains and \"_has\" to {types} types for so many patients are more than {MAX_JOINED_CHARTS} in all.")
    } else {
        return None;
    };
    Some(Issue::error(IssueCode::TooCostly, text).about(name).hint("ask for fewer patients or less"))
}

/// Refuses includes together with `_summary=text`, which R4 forbids (<https://hl7.org/fhir/R4/search.html#summary>).
fn includes_in_text(query: &Query) -> Option<Issue> {
    let name = if query.include.is_empty() { "_revinclude" } else { "_include" };
    let is_mixed = query.subset == Subset::Text && !(query.include.is_empty() && query.revinclude.is_empty());
    let issue = || Issue::error(IssueCode::Value, format!("\"{name}\" cannot be mixed with _summary=text."));
    is_mixed.then(|| issue().about(name))
}

/// Returns the canonical name of a parameter with two names. Clients of other servers send `_totalMethod=count`.
fn canonical<'a>(name: &'a str, value: &'a str) -> (&'a str, &'a str) {
    match (name, value) {
        ("_totalMethod", "count") => ("_total", "accurate"),
        ("_totalMethod", value) => ("_total", value),
        other => other,
    }
}

struct Parser<'a> {
    query: Query,
    context: &'a ParseContext<'a>,
    /// The result parameters so far.
    shaped: Vec<&'static str>,
    values: usize,
}

impl Parser<'_> {
    fn take(&mut self, name: &str, value: &str) -> Result<(), Issue> {
        let (name, value) = canonical(name, value);
        let (bare, modifier) = name.split_once(':').map_or((name, None), |(bare, modifier)| (bare, Some(modifier)));
        let shaping = RESULT_PARAMS.into_iter().find(|known| *known == bare);
        if let Some(shaping) = shaping {
            // References of included resources may be followed further.
            let (takes, hint) = if bare.ends_with("include") { (Some("iterate"), ":iterate") } else { (None, "") };
            if modifier.is_some() && modifier != takes {
                let text = format!("\"{bare}\" takes no {}modifier.", if takes.is_some() { "such " } else { "" });
                return self.leave_out(name, text, hint.to_owned());
            }
            if self.shaped.contains(&shaping) && !REPEATED.contains(&shaping) {
                return Err(Issue::error(IssueCode::Structure, format!("\"{bare}\" is there more than once.")));
            }
            self.shaped.push(shaping);
            let understood = match shape(&mut self.query, self.context.set, name, value) {
                Err(Issue { code: IssueCode::NotSupported, text, diagnostics, .. }) => {
                    // The keys before the unknown one were accepted.
                    if bare == "_sort" {
                        self.query.sort.clear();
                    }
                    return self.leave_out(name, text, diagnostics.unwrap_or_default());
                }
                shaped => shaped?,
            };
            if bare != "_cursor" {
                self.query.parameters.push((name.to_owned(), understood));
            }
            return Ok(());
        }
        match Name::read(self.context.set, self.query.resource_type, name) {
            Ok(Name::Own(param, modifier)) => self.select(param, modifier, value)?,
            Ok(Name::Join(hop, alternatives)) => {
                let join = self.join(name, hop, alternatives, value)?;
                self.query.joins.push(join);
            }
            Err(Issue { code: IssueCode::NotSupported, text, diagnostics, .. }) => {
                return self.leave_out(name, text, diagnostics.unwrap_or_default());
            }
            Err(issue) => return Err(issue),
        }
        self.query.parameters.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// Refuses an include from a type that has no resource in the answer, or ignores it with a warning.
    fn check_sources(&mut self) -> Result<(), Issue> {
        let resource_type = self.query.resource_type;
        loop {
            let types = included_types(resource_type, &self.query.includes(), &mut |_, _| true);
            let is_odd = |include: &&Include| {
                let is_absent = |source| source != resource_type && !types.contains(&source);
                !include.iterates && include.source.is_some_and(is_absent)
            };
            let Some(odd) = self.query.include.iter().find(is_odd).copied() else { return Ok(()) };
            let text =
                format!("A search on {resource_type} finds no resources that {} could include.", quoted(&odd.value()));
            self.query.include.retain(|include| *include != odd);
            self.query.parameters.retain(|(name, value)| (name.as_str(), value) != (odd.name(), &odd.value()));
            self.leave_out(odd.name(), text, format!("{resource_type}:parameter"))?;
        }
    }

    /// Refuses an unknown parameter, or ignores it with a warning if the handling is lenient.
    fn leave_out(&mut self, name: &str, text: String, hint: String) -> Result<(), Issue> {
        match self.context.handling {
            Handling::Lenient => {
                let text = format!("{text} It was left out.");
                self.query.ignored.push(Issue::warning(IssueCode::NotSupported, text).about(name));
                Ok(())
            }
            Handling::Strict => {
                let issue = Issue::error(IssueCode::NotSupported, text).about(name);
                Err(if hint.is_empty() { issue } else { issue.hint(hint) })
            }
        }
    }

    fn join(
        &mut self,
        name: &str,
        hop: Hop,
        alternatives: Vec<(ResourceType, Name)>,
        value: &str,
    ) -> Result<Join, Issue> {
        let mut inner = Vec::with_capacity(alternatives.len());
        for (resource_type, condition) in alternatives {
            let (mut all, mut joins) = (Vec::new(), Vec::new());
            match condition {
                Name::Own(param, modifier) => all.push(self.clause(param, modifier, value)?),
                Name::Join(hop, alternatives) => joins.push(self.join(name, hop, alternatives, value)?),
            }
            inner.push(Subquery { resource_type, all, joins });
        }
        Ok(Join { name: name.to_owned(), hop, alternatives: inner })
    }

    fn select(&mut self, param: &'static Param, modifier: Option<Modifier>, value: &str) -> Result<(), Issue> {
        let clause = self.clause(param, modifier, value)?;
        let is_patient = param.name == "patient";
        let is_value = matches!(modifier, None | Some(Modifier::Type(_)));
        if is_value && (param.owns || is_patient) {
            self.select_patients(param, &clause.any);
            if is_patient {
                // A resource may also belong to a patient who is not its subject.
                let may_be_of_others = param.owns && membership(param.base).is_some();
                self.query.about.extend(may_be_of_others.then_some(clause));
                return Ok(());
            }
        }
        self.query.all.push(clause);
        Ok(())
    }

    /// Returns the clause that a parameter with a value means.
    fn clause(&mut self, param: &'static Param, modifier: Option<Modifier>, value: &str) -> Result<Clause, Issue> {
        // FHIR strings have no other control characters. Index keys use some of those as separators.
        if value.contains(|c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r')) {
            return Err(Issue::error(IssueCode::Structure, format!("\"{}\" has a control character.", param.name)));
        }
        let values = split(value, ',');
        if values.len() > MAX_VALUES {
            let text =
                format!("\"{}\" takes at most {MAX_VALUES} values at once, and has {}.", param.name, values.len());
            return Err(Issue::error(IssueCode::TooCostly, text).hint(SPLIT));
        }
        if modifier == Some(Modifier::Missing) && values.len() > 1 {
            let text = format!("\"{}:missing\" takes one value.", param.name);
            return Err(Issue::error(IssueCode::Value, text).hint(MISSING_VALUES));
        }
        self.values += values.len();
        if self.values > MAX_VALUES_IN_ALL {
            let text = format!("A search takes at most {MAX_VALUES_IN_ALL} values in all.");
            return Err(Issue::error(IssueCode::TooCostly, text).hint(SPLIT));
        }
        if self.query.all.len() + self.query.joins.len() == MAX_CLAUSES {
            let text = format!("A search takes at most {MAX_CLAUSES} parameters that select.");
            return Err(Issue::error(IssueCode::TooCostly, text));
        }
        let mut any = Vec::new();
        for text in values {
            let ParseContext { base, now, .. } = *self.context;
            let value = RawValue { resource_type: param.base, param: param.name, modifier, text, base, now };
            for criterion in param.kind.criteria(&value)? {
                if criterion.is_relative() {
                    self.query.now = Some(now);
                }
                if !any.contains(&criterion) {
                    any.push(criterion);
                }
            }
        }
        // A list of addresses has few lookups.
        let lookups = || any.iter().map(|criterion| criterion.lookups().len()).sum::<usize>();
        if matches!(modifier, Some(Modifier::Above | Modifier::Below)) && lookups() > MAX_VALUES {
            let text = format!("The addresses of \"{}\" have too many segments.", param.name);
            return Err(Issue::error(IssueCode::TooCostly, text).hint(SPLIT));
        }
        let (negated, known) = match modifier {
            // Every resource has an id.
            Some(Modifier::Missing) if param.kind.is_id() => (value == "true", None),
            Some(Modifier::Missing) if param.typed => {
                any = param.kind.targets().into_iter().flatten().map(|target| OfType(*target).into()).collect();
                (value == "true", None)
            }
            Some(Modifier::Missing) => (value == "true", Some(Presence::Element)),
            Some(Modifier::Not) => (true, param.unless.map(|_| Presence::Excepted)),
            _ => (false, None),
        };
        let also = known.and_then(|known| Some((presence(param.base)?, vec![known.criterion(param.name)])));
        Ok(Clause { param, any, also, negated })
    }

    /// Limits the search to the patients that the values of a parameter name, if each value names one. A mere id names
    /// one only for the parameter `patient`; for other parameters it may also belong to a resource of another type.
    fn select_patients(&mut self, param: &Param, any: &[Criterion]) {
        let mut wanted = Vec::new();
        for patient in any.iter().map(patient_of) {
            match patient {
                Some(patient) => patient.put(&mut wanted),
                None if param.name == "patient" => {}
                None => return,
            }
        }
        match &mut self.query.patients {
            None => self.query.patients = Some(wanted),
            Some(patients) => patients.retain(|patient| wanted.contains(patient)),
        }
    }
}

fn patient_of(criterion: &Criterion) -> Option<Id> {
    Reference::parse(criterion.reference()?)
        .filter(|target| target.resource_type == ResourceType::Patient)
        .map(|patient| patient.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MAX_COUNT;
    use ResourceType as T;

    /// Parses parameters with strict handling and all indexes.
    fn strict(resource_type: T, parameters: &[(&str, &str)]) -> Result<Query, Vec<Issue>> {
        let owned: Vec<_> = parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let context =
            ParseContext { set: IndexSet::of_r4(), now: 7, handling: Handling::Strict, base: "https://here/fhir/r4" };
        parse_in(&context, resource_type, &owned)
    }

    #[test]
    fn a_query_with_a_date_around_which_is_searched_keeps_its_moment() {
        let now = |value| strict(T::Observation, &[("date", value)]).unwrap().now;
        assert_eq!((now("ge2020,ap2024"), now("ge2020")), (Some(7), None));
    }

    #[test]
    fn a_count_of_any_length_is_capped() {
        let count = |value: &str| strict(T::Patient, &[("_count", value)]).unwrap().count;
        assert_eq!(["7", "1000000000", &"9".repeat(40)].map(count), [7, MAX_COUNT, MAX_COUNT]);
    }

    #[test]
    fn many_values_name_many_patients() {
        let many: Vec<_> = (0..MAX_VALUES).map(|at| format!("Patient/{at}")).collect();
        let query = strict(T::Observation, &[("subject", &many.join(","))]).unwrap();
        assert_eq!(query.patients.map(|patients| patients.len()), Some(MAX_VALUES));
    }

    #[test]
    fn too_many_includes_are_refused() {
        let values: Vec<_> = T::served().iter().map(|to| format!("Provenance:target:{to}")).take(11).collect();
        let includes: Vec<_> = values.iter().map(|value| ("_include", value.as_str())).collect();
        assert_eq!(strict(T::Provenance, &includes).unwrap_err()[0].code, IssueCode::TooCostly);
    }

    #[test]
    fn the_default_order_needs_no_sorting() {
        let keys = |base, value: &str| strict(base, &[("_sort", value)]).unwrap().sort.len();
        for (base, default) in [(T::Encounter, "-date"), (T::Encounter, "-date,_id"), (T::Patient, "-_lastUpdated")] {
            assert_eq!(keys(base, default), 0, "{default}");
        }
        for another in ["-onset-date", "-_lastUpdated", "-onset-date,-_id", "_id,-onset-date"] {
            assert!(keys(T::Condition, another) > 0, "{another}");
        }
    }
}
