//! The parser of query strings (<https://hl7.org/fhir/R4/search.html>). It finds every error of form. Later steps
//! (`docs/architecture.md`) check the patients, cursors, costs and the index.

mod names;

use super::include::{Include, included_types};
use super::index_set::IndexSet;
use super::join::{Hop, Join, Subquery};
use super::kind::{Criterion, IndexForm, MISSING_VALUES, Modifier, OfType, Presence, RawValue, split};
use super::members::member_of;
use super::param::Param;
use super::query::{Clause, MemberOf, Query};
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

/// Parses the decoded parameters of a search on a type as [`parse_in`] does, with all supported parameters, for a
/// search that does not depend on the moment: one without the prefix `ap`.
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
    parse_in(&ParseContext { set: IndexSet::all(), now: 0, handling, base }, resource_type, parameters)
}

/// Parses the decoded parameters of a search on a type.
///
/// # Errors
/// All faults of the query.
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
    /// The number of values so far.
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

    /// Returns the join that a name and a value mean.
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
    use crate::{MAX_COUNT, Total};
    use ResourceType as T;

    type Parsed = Result<Query, Vec<Issue>>;

    fn parsed_in(set: &'static IndexSet, resource_type: T, all: &[(&str, &str)], handling: Handling) -> Parsed {
        let owned: Vec<_> = all.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        parse_in(&ParseContext { set, now: 7, handling, base: "https://here/fhir/r4" }, resource_type, &owned)
    }

    fn parsed(resource_type: T, parameters: &[(&str, &str)], handling: Handling) -> Parsed {
        parsed_in(IndexSet::all(), resource_type, parameters, handling)
    }

    fn strict(resource_type: T, parameters: &[(&str, &str)]) -> Parsed {
        parsed(resource_type, parameters, Handling::Strict)
    }

    fn of_us_core(resource_type: T, parameters: &[(&str, &str)]) -> Parsed {
        parsed_in(IndexSet::us_core(), resource_type, parameters, Handling::Strict)
    }

    #[test]
    fn comma_is_or_and_repeat_is_and() {
        let query = strict(T::Observation, &[("code", "a,b"), ("date", "ge2020"), ("date", "lt2021")]).unwrap();
        let shape: Vec<_> = query.all.iter().map(|clause| (clause.param.name, clause.any.len())).collect();
        assert_eq!(shape, [("code", 2), ("date", 2), ("date", 1)]);
    }

    #[test]
    fn a_query_with_a_date_around_which_is_searched_keeps_its_moment() {
        let now = |value| strict(T::Observation, &[("date", value)]).unwrap().now;
        assert_eq!((now("ge2020,ap2024"), now("ge2020")), (Some(7), None));
    }

    #[test]
    fn patients_of_repeated_parameters_are_intersected() {
        let patients = |parameters: &[(&str, &str)]| {
            let query = strict(T::Observation, parameters).unwrap();
            query.patients.map(|patients| patients.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        assert_eq!(patients(&[]), None);
        assert_eq!(
            patients(&[("patient", "a,Patient/b,https://here/fhir/r4/Patient/c")]),
            Some(vec!["a".into(), "b".into(), "c".into()])
        );
        assert_eq!(patients(&[("patient", "a"), ("patient", "b")]), Some(vec![]));
        assert_eq!(patients(&[("patient", "https://evil/Patient/a")]), Some(vec![]));
    }

    #[test]
    fn unknown_parameters_and_modifiers_are_refused_with_a_list_of_the_known_ones() {
        let issues =
            of_us_core(T::Coverage, &[("foo", "1"), ("patient:not", "true"), ("patient.colour", "x")]).unwrap_err();
        assert_eq!(issues.len(), 3);
        let takes = "_id, _lastUpdated, patient, _contained, _containedType, _count, _cursor, _elements, _format, \
            _include, _pretty, _revinclude, _sort, _summary, _total";
        assert_eq!(issues[0].diagnostics, Some(format!("Coverage takes: {takes}")));
        assert_eq!(issues[1].parameter.as_deref(), Some("patient:not"));
    }

    #[test]
    fn a_parameter_that_is_not_of_the_set_is_refused_by_name() {
        assert!(strict(T::Observation, &[("encounter", "e")]).is_ok());
        let issue = of_us_core(T::Observation, &[("encounter", "e")]).unwrap_err().remove(0);
        assert_eq!(issue.text, "Observation is not indexed by \"encounter\" here.");
        assert_eq!(issue.code, IssueCode::NotSupported);
        let diagnostics = issue.diagnostics.unwrap();
        let names = diagnostics.strip_prefix("The index us-core of Observation has: ").unwrap();
        let names: Vec<_> = names.trim_end_matches('.').split(", ").collect();
        assert!(names.starts_with(&["_id", "_lastUpdated", "patient"]) && !names.contains(&"encounter"));
        let sorted = of_us_core(T::Observation, &[("_sort", "value-date")]).unwrap_err().remove(0);
        assert!(sorted.diagnostics.is_some_and(|sorts| !sorts.contains("value-date")));
        assert!(strict(T::Observation, &[("_sort", "value-date")]).is_ok());
    }

    #[test]
    fn the_patient_is_named_by_each_parameter_over_the_same_elements() {
        let patients = |name: &str, value: &str| {
            let query = strict(T::Observation, &[(name, value)]).unwrap();
            (
                query.patients.map(|patients| patients.iter().map(ToString::to_string).collect::<Vec<_>>()),
                query.all.len(),
            )
        };
        assert_eq!(patients("subject", "Patient/a,https://here/fhir/r4/Patient/b").0.unwrap(), ["a", "b"]);
        for other in ["a", "Group/a", "Patient/a,Device/b", "https://evil/Patient/a"] {
            assert_eq!(patients("subject", other), (None, 1), "{other}");
        }
        assert_eq!(patients("performer", "Patient/a"), (None, 1));
        assert_eq!(patients("subject:Patient", "a"), (Some(vec!["a".to_owned()]), 1));
        assert_eq!(patients("patient:Patient", "a"), (Some(vec!["a".to_owned()]), 0));
        assert_eq!(patients("subject:Group", "a"), (None, 1));
        for (name, value) in [
            ("subject:Patient", "Group/a"),
            ("subject:Patient", "https://evil/Patient/a"),
            ("subject:Practitioner", "a"),
            ("encounter:Patient", "a"),
        ] {
            let refused = parsed(T::Observation, &[(name, value)], Handling::Lenient).unwrap_err().remove(0);
            assert_eq!((refused.code, refused.parameter.as_deref()), (IssueCode::Value, Some(name)), "{value}");
        }
        assert_eq!(strict(T::Observation, &[("subject:Foo", "a")]).unwrap_err()[0].code, IssueCode::NotSupported);
        let many: Vec<_> = (0..MAX_VALUES).map(|at| format!("Patient/{at}")).collect();
        assert_eq!(patients("subject", &many.join(",")).0.map(|patients| patients.len()), Some(MAX_VALUES));
        let both = strict(T::Observation, &[("subject", "Patient/a"), ("patient", "b")]).unwrap();
        assert_eq!((both.patients, both.all.len()), (Some(Vec::new()), 1));
        let refused = strict(T::Observation, &[("subject", "Practitioner/a")]).unwrap_err().remove(0);
        assert!(refused.code == IssueCode::Value && refused.diagnostics.unwrap().contains("Group"));
    }

    #[test]
    fn lenient_handling_ignores_the_unknown_with_a_warning_and_refuses_bad_values() {
        let lenient = |parameters: &[_]| parsed(T::Observation, parameters, Handling::Lenient);
        let query = lenient(&[("foo", "1"), ("code:above", "x"), ("code", "y")]).unwrap();
        let ignored: Vec<_> = query.ignored.iter().filter_map(|issue| issue.parameter.as_deref()).collect();
        assert_eq!(ignored, ["foo", "code:above"]);
        assert_eq!(query.parameters, [("code".to_owned(), "y".to_owned())]);
        assert!(lenient(&[("date", "soon")]).is_err());
        let query = lenient(&[("_include", "Observation:colour"), ("_sort", "date,colour"), ("_count", "3")]).unwrap();
        assert_eq!((query.include, query.sort, query.ignored.len()), (Vec::new(), Vec::new(), 2));
        assert_eq!(query.parameters, [("_count".to_owned(), "3".to_owned())]);
    }

    #[test]
    fn not_and_missing_negate_a_clause() {
        let clause = |on, name: &str, value: &str| strict(on, &[(name, value)]).map(|mut query| query.all.remove(0));
        let not = clause(T::Observation, "category:not", "a,b").unwrap();
        assert_eq!((not.any.len(), not.also, not.negated), (2, None, true));
        for (value, negated) in [("true", true), ("false", false)] {
            let missing = clause(T::Observation, "category:missing", value).unwrap();
            assert_eq!((missing.any, missing.negated), (vec![Criterion::Present], negated));
            assert_eq!(missing.also.unwrap().1, [Presence::Element.criterion("category")]);
        }
        let excepted = clause(T::AllergyIntolerance, "clinical-status:not", "active").unwrap();
        assert_eq!(excepted.also.unwrap().1, [Presence::Excepted.criterion("clinical-status")]);
        assert_eq!(clause(T::Observation, "_id:missing", "true").unwrap().also, None);
        let whose = clause(T::Observation, "patient:missing", "true").unwrap();
        assert_eq!((whose.any, whose.also, whose.negated), (vec![OfType(T::Patient).into()], None, true));
        for (name, value, code) in [
            ("category:missing", "yes", IssueCode::Value),
            ("category:missing", "TRUE", IssueCode::Value),
            ("category:missing", "true,true", IssueCode::Value),
            ("category:missing", "", IssueCode::Structure),
            ("category:not", "", IssueCode::Structure),
            ("date:not", "2024", IssueCode::NotSupported),
        ] {
            assert_eq!(clause(T::Observation, name, value).unwrap_err()[0].code, code, "{name}={value}");
        }
        for name in ["practitioner.name:missing", "practitioner.identifier:not"] {
            let query = strict(T::PractitionerRole, &[(name, "true")]).unwrap();
            assert_eq!((query.all.len(), query.joins.len()), (0, 1), "{name}");
        }
    }

    #[test]
    fn chains_and_has_are_joins_and_say_nobody_whose() {
        let query = strict(T::Condition, &[("encounter.patient", "a"), ("encounter.status:not", "finished")]).unwrap();
        let inner: Vec<_> = query.joins.iter().map(|join| &join.alternatives[0]).collect();
        assert_eq!((query.patients, query.all.len(), inner.len()), (None, 0, 2));
        assert_eq!((inner[0].resource_type, inner[0].all[0].param.name), (T::Encounter, "patient"));
        assert!(inner[1].all[0].negated);
        let query = strict(T::Patient, &[("_has:Encounter:patient:_has:Condition:encounter:code", "x,y")]).unwrap();
        let nested = &query.joins[0].alternatives[0].joins[0].alternatives[0];
        assert_eq!(
            (nested.resource_type, nested.all[0].any.len(), query.joined_types()),
            (T::Condition, 2, vec![T::Encounter, T::Condition])
        );
        let code = |parameters: &[_]| strict(T::Condition, parameters).unwrap_err()[0].code;
        let patients = |count: u32| (0..count).map(|at| format!("p{at}")).collect::<Vec<_>>().join(",");
        assert!(strict(T::Condition, &[("patient", &patients(125)), ("encounter.status", "x")]).is_ok());
        let ids = patients(63);
        assert_eq!(code(&[("_id", &ids), ("encounter.patient.name", "x")]), IssueCode::TooCostly);
        assert_eq!(code(&[("encounter.status", "x"); 41]), IssueCode::TooCostly);
        assert_eq!(strict(T::Provenance, &[("target.status", "x")]).unwrap_err()[0].code, IssueCode::TooCostly);
    }

    #[test]
    fn empty_values_are_refused() {
        for (name, value) in
            [("patient", ""), ("patient", ","), ("patient", "Patient/"), ("code", "a,"), ("_count", ""), ("_sort", "")]
        {
            assert!(strict(T::Observation, &[(name, value)]).is_err(), "{name}={value}");
        }
    }

    #[test]
    fn count_is_capped_and_zero_asks_for_the_number() {
        let count = |value: &str| strict(T::Patient, &[("_count", value)]).map(|query| (query.count, query.count_only));
        assert_eq!(count("7"), Ok((7, false)));
        assert_eq!(count("1000000000"), Ok((MAX_COUNT, false)));
        assert_eq!(count(&"9".repeat(40)), Ok((MAX_COUNT, false)));
        assert_eq!(count("0"), Ok((0, true)));
        assert!(count("-1").is_err() && count("abc").is_err() && count("1.5").is_err());
    }

    #[test]
    fn includes_may_be_repeated_and_iterate() {
        let query = strict(
            T::CareTeam,
            &[
                ("_include", "CareTeam:participant"),
                ("_include", "CareTeam:participant"),
                ("_include", "*"),
                ("_include:iterate", "PractitionerRole:*"),
                ("_revinclude", "Provenance:target:CareTeam"),
                ("_revinclude:iterate", "Provenance:target"),
            ],
        )
        .unwrap();
        assert_eq!((query.include.len(), query.revinclude.len()), (3, 2));
        for bad in ["CareTeam", "CareTeam:nothing", "CareTeam:participant:Device", "CareTeam:status", "Goal:patient"] {
            assert!(strict(T::CareTeam, &[("_include", bad)]).is_err(), "{bad}");
        }
        for name in ["_include:recurse", "_include:not", "_count:iterate", "_sort:iterate"] {
            assert!(strict(T::CareTeam, &[(name, "CareTeam:participant")]).is_err(), "{name}");
        }
        assert!(strict(T::Practitioner, &[("_revinclude", "Provenance:target")]).is_err());
        let too_many: Vec<_> = T::served().iter().map(|to| format!("Provenance:target:{to}")).take(11).collect();
        let too_many: Vec<_> = too_many.iter().map(|value| ("_include", value.as_str())).collect();
        assert_eq!(strict(T::Provenance, &too_many).unwrap_err()[0].code, IssueCode::TooCostly);
    }

    #[test]
    fn an_include_from_what_is_not_in_the_answer_is_refused() {
        let location = ("_include", "Encounter:location");
        let organization = ("_include", "Location:organization");
        assert!(strict(T::Encounter, &[organization, location]).is_ok(), "it may be there");
        let issue = strict(T::Encounter, &[organization]).unwrap_err().remove(0);
        assert_eq!((issue.code, issue.parameter.as_deref()), (IssueCode::NotSupported, Some("_include")));
        assert!(strict(T::Encounter, &[("_include:iterate", "Location:organization")]).is_ok());
        let lenient = parsed(T::Encounter, &[organization, ("_count", "3")], Handling::Lenient).unwrap();
        assert_eq!((lenient.include.len(), lenient.ignored.len(), lenient.parameters.len()), (0, 1, 1));
    }

    #[test]
    fn sorting_is_by_every_parameter_but_chains() {
        let keys = |value: &str| strict(T::Condition, &[("_sort", value)]).map(|query| query.sort.len());
        assert_eq!(keys("onset-date,_id"), Ok(2));
        assert_eq!(keys("_lastUpdated"), Ok(1));
        for default in ["-date", "-date,_id"] {
            let sorted = strict(T::Encounter, &[("_sort", default)]).unwrap();
            assert!(sorted.sort.is_empty(), "the default order needs no sorting");
        }
        assert_eq!(keys("-onset-date"), Ok(1), "the default order takes other dates too");
        for another in ["-_lastUpdated", "-onset-date,-_id", "-onset-date,-_lastUpdated", "_id,-onset-date"] {
            assert!(keys(another).unwrap() > 0, "{another}");
        }
        assert!(strict(T::Patient, &[("_sort", "-_lastUpdated")]).unwrap().sort.is_empty());
        assert_eq!(keys("code,-encounter,patient"), Ok(3));
        assert!(keys("--onset-date").is_err() && keys("onset-date,").is_err() && keys("code,code").is_err());
        let chain = strict(T::PractitionerRole, &[("_sort", "practitioner.name")]).unwrap_err();
        assert_eq!(chain[0].code, IssueCode::NotSupported);
    }

    #[test]
    fn too_many_values_and_parameters_are_refused() {
        let many = vec!["x"; MAX_VALUES + 1].join(",");
        assert_eq!(strict(T::Observation, &[("code", &many)]).unwrap_err()[0].code, IssueCode::TooCostly);
        assert_eq!(strict(T::Observation, &[("code", "x"); 1000]).unwrap_err()[0].code, IssueCode::TooCostly);
        assert!(strict(T::Observation, &[("code", &vec!["x"; MAX_VALUES].join(","))]).is_ok());
    }

    #[test]
    fn elements_are_names() {
        let subset = |value: &str| strict(T::Patient, &[("_elements", value)]).map(|query| query.subset);
        assert_eq!(subset("name, gender"), Ok(Subset::Elements(vec!["name".to_owned(), "gender".to_owned()])));
        assert!(subset("name.family").is_err());
    }

    #[test]
    fn a_summary_is_a_subset_or_the_number_alone() {
        let summary =
            |value: &str| strict(T::CareTeam, &[("_summary", value)]).map(|query| (query.subset, query.count_only));
        assert_eq!(summary("true"), Ok((Subset::Summary, false)));
        assert_eq!(summary("text"), Ok((Subset::Text, false)));
        assert_eq!(summary("data"), Ok((Subset::Data, false)));
        assert_eq!(summary("count"), Ok((Subset::Whole, true)));
        assert_eq!(summary("false"), Ok((Subset::Whole, false)));
        assert_eq!(summary("TRUE").unwrap_err()[0].code, IssueCode::Value);
        let both = |value| strict(T::CareTeam, &[("_summary", value), ("_elements", "status")]);
        assert!(both("true").is_err() && both("false").is_ok() && both("count").is_ok());
        let text = |include| strict(T::CareTeam, &[include, ("_summary", "text")]).unwrap_err()[0].parameter.clone();
        assert_eq!(text(("_include", "CareTeam:participant")).as_deref(), Some("_include"));
        assert_eq!(text(("_revinclude", "Provenance:target")).as_deref(), Some("_revinclude"));
    }

    #[test]
    fn other_names_and_defaults_are_understood() {
        let total = |name, value| strict(T::CareTeam, &[(name, value)]).map(|query| (query.total, query.parameters));
        let accurate = vec![("_total".to_owned(), "accurate".to_owned())];
        assert_eq!(total("_totalMethod", "count"), Ok((Total::Accurate, accurate.clone())));
        assert_eq!(total("_totalMethod", "accurate"), Ok((Total::Accurate, accurate)));
        assert!(total("_total", "count").is_err() && total("_totalMethod", "many").is_err());
        assert!(strict(T::CareTeam, &[("_totalMethod", "none"), ("_total", "none")]).is_err());
        let contained = |name, value| strict(T::CareTeam, &[(name, value)]).map_err(|issues| issues[0].code);
        assert!(contained("_contained", "false").is_ok() && contained("_containedType", "container").is_ok());
        assert_eq!(contained("_contained", "true"), Err(IssueCode::NotSupported));
        assert_eq!(contained("_containedType", "contained"), Err(IssueCode::NotSupported));
    }
}
