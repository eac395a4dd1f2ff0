//! Explanations of a query: descriptions of its criteria, and the conditions that the grant adds. Explaining a query
//! does not run it. `browser/explain.rs` returns explanations to a page.

use serde::Serialize;
use serde_json::Value;

use crate::http::form::decode;
use crate::http::path::Interaction;
use crate::http::problem::Problem;
use fhir::{Id, Issue, IssueCode, Language, Micros, Reference, ResourceType};
use search::registry::id_param;
use search::{Handling, Include, IndexSet, ParseContext, Query, carriers_of, parse_in};
use smart::{AccessRule, Grant, PatientList, PatientSet, Permitted, condition};

/// The explanation of a search or a read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The type that is searched or read. Empty if there is none.
    #[serde(rename = "type")]
    pub resource_type: String,
    /// The conditions, all of which a resource must satisfy.
    pub criteria: Vec<ExplainedClause>,
    /// The includes.
    pub includes: Vec<ExplainedInclude>,
    /// A description of the order of the matches.
    pub order: String,
    /// The OperationOutcome, if the request is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<Value>,
}

/// One condition of a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainedClause {
    /// The search parameter, or `scope` for a condition of the scopes.
    pub param: String,
    /// The type of the parameter (`token`, `date`, …), or `grant` for a condition of the scopes.
    pub kind: &'static str,
    /// A description of the condition.
    pub says: String,
    /// True if the grant adds the condition.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub added: bool,
}

/// One include of a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainedInclude {
    /// The include as written: `MedicationRequest:medication`.
    pub include: String,
    /// The types of the resources that it may add to the matches, separated by commas.
    pub brings: String,
    /// True if it was written as `_revinclude`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reverse: bool,
    /// A description of the include.
    pub says: String,
    /// True if it is left out because no scope opens a type that it adds.
    #[serde(rename = "leftOut", skip_serializing_if = "std::ops::Not::not")]
    pub left_out: bool,
}

/// Explains a search or a read at the moment `now`, for a store that is indexed by the parameters of `set`. `request`
/// is relative to the FHIR base, or an absolute address below it.
pub fn explain(request: &str, grant: &Grant, base: &str, set: &'static IndexSet, now: Micros) -> Explanation {
    let request = request.strip_prefix(base).unwrap_or(request).trim_start_matches('/');
    let (path, query) = request.split_once('?').unwrap_or((request, ""));
    match Interaction::of(path) {
        Err(problem) => Explanation::new("").refuse(&problem),
        Ok(Interaction::Read(reference, _)) => explain_read(reference, grant),
        Ok(
            Interaction::Everything(_)
            | Interaction::Summary(_)
            | Interaction::LastN
            | Interaction::DocRef
            | Interaction::Compartment(..)
            | Interaction::Types,
        ) => {
            let text = "Reads and searches of one type are explained.";
            let issue = Issue::error(IssueCode::NotSupported, text);
            Explanation::new("").refuse(&Problem::from(issue))
        }
        Ok(Interaction::Search(resource_type)) => {
            let query = decode(query).map_err(|issue| vec![issue]);
            let context = ParseContext { set, now, handling: Handling::Strict, base };
            match query.and_then(|parameters| parse_in(&context, resource_type, &parameters)) {
                Err(issues) => Explanation::new(resource_type.name()).refuse(&Problem::Bad(issues)),
                Ok(query) => search(query, grant),
            }
        }
    }
}

fn explain_read(reference: Reference, grant: &Grant) -> Explanation {
    let says = format!("_id is {}", reference.id);
    let clause = ExplainedClause {
        param: "_id".to_owned(),
        kind: id_param(reference.resource_type).kind.fhir_type(),
        says,
        added: false,
    };
    let mut explained = Explanation { criteria: vec![clause], ..Explanation::new(reference.resource_type.name()) };
    let is_binary = reference.resource_type == ResourceType::Binary;
    match grant.permits(reference) {
        Err(_) if is_binary && carriers_of("").any(|query| grant.permits_carriers(query).is_some()) => {
            let says = "is an attachment of a resource that the scopes open".to_owned();
            explained.criteria.push(ExplainedClause { param: "scope".to_owned(), kind: "grant", says, added: true });
            explained
        }
        Err(denied) => explained.refuse(&Problem::Denied(denied)),
        Ok(permitted) => {
            explained.criteria.extend(scope_clause(permitted.rules(), false));
            explained
        }
    }
}

fn search(query: Query, grant: &Grant) -> Explanation {
    let mut explained = Explanation::of(&query);
    let names_patients = query.patients.is_some();
    match grant.narrow(query, None) {
        Err(denied) => explained.refuse(&Problem::Denied(denied)),
        Ok(permitted) => {
            explained.permit(&permitted, names_patients);
            explained
        }
    }
}

impl Explanation {
    fn new(resource_type: &str) -> Self {
        Self {
            resource_type: resource_type.to_owned(),
            criteria: Vec::new(),
            includes: Vec::new(),
            order: String::new(),
            refused: None,
        }
    }

    /// Returns the explanation of the query without a grant.
    fn of(query: &Query) -> Self {
        let of_patients = query.patients.as_ref().map(|patients| of_patients(patients.iter(), false));
        let clauses = query.all.iter().map(|clause| ExplainedClause {
            param: clause.param.name.to_owned(),
            kind: clause.param.kind.fhir_type(),
            says: clause.describe(),
            added: false,
        });
        let joins = query.joins.iter().map(|join| ExplainedClause {
            param: join.name.clone(),
            kind: join.hop.param().kind.fhir_type(),
            says: join.describe(),
            added: false,
        });
        let matched = query.resource_type;
        let explained = |include: &Include, reverse| ExplainedInclude {
            include: include.value(),
            brings: include.added_types(matched).into_iter().map(ResourceType::name).collect::<Vec<_>>().join(", "),
            reverse,
            says: include.describe(matched),
            left_out: false,
        };
        let includes = query.include.iter().map(|include| explained(include, false));
        Self {
            criteria: of_patients.into_iter().chain(clauses).chain(joins).collect(),
            includes: includes.chain(query.revinclude.iter().map(|include| explained(include, true))).collect(),
            order: query.describe_order(),
            ..Self::new(query.resource_type.name())
        }
    }

    /// Adds the conditions and the includes of the permitted query.
    fn permit(&mut self, permitted: &Permitted<Query>, names_patients: bool) {
        let query = permitted.request();
        if let Some(patients) = query.patients.as_ref().filter(|_| !names_patients) {
            self.criteria.insert(0, of_patients(patients.iter(), true));
        }
        self.criteria
            .extend(scope_clause(permitted.rules(), query.patients.as_ref().is_some_and(|all| all.len() == 1)));
        let is_closed = |resource_type: &ResourceType| permitted.rules_of_included(*resource_type).is_none();
        for (explained, include) in self.includes.iter_mut().zip(permitted.includes()) {
            let types = include.added_types(query.resource_type);
            explained.left_out = !types.is_empty() && types.iter().all(is_closed);
        }
    }

    fn refuse(self, problem: &Problem) -> Self {
        Self { refused: serde_json::from_str(&problem.outcome()).ok(), ..self }
    }
}

fn of_patients<'a>(patients: impl Iterator<Item = &'a Id>, added: bool) -> ExplainedClause {
    let all: Vec<_> = patients.map(|id| format!("{}/{id}", ResourceType::Patient)).collect();
    let says = if all.is_empty() {
        "belongs to nobody: nothing matches".to_owned()
    } else {
        format!("belongs to {}", all.join(" or "))
    };
    ExplainedClause { param: "patient".to_owned(), kind: "reference", says, added }
}

/// Returns the condition of the access rules, if each of them has a condition that the search does not imply. `of_one`
/// is true if the search is for one patient.
fn scope_clause(rules: &[AccessRule], of_one: bool) -> Option<ExplainedClause> {
    let one = |rule: &AccessRule| {
        let whose = match &rule.patients {
            PatientSet::All => None,
            PatientSet::One(_) if of_one => None,
            PatientSet::One(patient) => Some(format!("belongs to {}/{patient}", ResourceType::Patient)),
            PatientSet::Nobody => Some("belongs to no patient".to_owned()),
            PatientSet::AccessList(PatientList::OfUser(_)) => {
                Some("belongs to patients whom the user may see".to_owned())
            }
            PatientSet::AccessList(PatientList::OfPurpose(_)) => {
                Some("belongs to no patient who has opted out".to_owned())
            }
        };
        let which = Some(condition(rule, Language::English)).filter(|which| !which.is_empty());
        whose.into_iter().chain(which).collect::<Vec<_>>().join(" and ")
    };
    let any: Vec<_> = rules.iter().map(one).collect();
    let all_limit = any.iter().all(|says| !says.is_empty());
    all_limit.then(|| ExplainedClause {
        param: "scope".to_owned(),
        kind: "grant",
        says: any.join(", or "),
        added: true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use smart::ScopeSet;

    const BASE: &str = "http://here/fhir/r4";

    fn explained(request: &str, scopes: &str) -> Explanation {
        let scopes = ScopeSet::parse(scopes).unwrap();
        let grant = Grant {
            client: "app".into(),
            patient: Id::parse("a"),
            user: Some("dr".into()),
            scopes,
            ..Grant::default()
        };
        explain(request, &grant, BASE, IndexSet::of_r4(), 0)
    }

    fn criteria(request: &str, scopes: &str) -> Vec<(String, bool)> {
        explained(request, scopes).criteria.into_iter().map(|clause| (clause.says, clause.added)).collect()
    }

    #[test]
    fn conditions_of_the_grant_are_marked_as_added() {
        let lab = "patient/Observation.rs?category=http://s|laboratory";
        assert_eq!(
            criteria("Observation?code=k", lab),
            [
                ("belongs to Patient/a".into(), true),
                ("code is k".into(), false),
                ("category is laboratory".into(), true)
            ]
        );
        assert_eq!(
            criteria("Observation?patient=a&date=2024", "patient/*.read"),
            [("belongs to Patient/a".into(), false), ("date lies within 2024".into(), false)]
        );
        assert_eq!(
            criteria("Observation?_id=x", "user/Observation.read patient/Observation.r"),
            [("_id is x".into(), false), ("belongs to patients whom the user may see".into(), true)]
        );
        assert_eq!(
            criteria(&format!("{BASE}/Observation/x"), &format!("{lab} user/Observation.read")),
            [
                ("_id is x".into(), false),
                (
                    "belongs to Patient/a and category is laboratory, or belongs to patients whom the user may see"
                        .into(),
                    true
                )
            ]
        );
    }

    #[test]
    fn a_binary_without_a_scope_of_its_own_is_read_by_what_carries_it() {
        let carried = ("is an attachment of a resource that the scopes open".to_owned(), true);
        assert_eq!(criteria("Binary/x", "patient/DocumentReference.r"), [("_id is x".to_owned(), false), carried]);
        for closed in ["patient/DocumentReference.s", "patient/Observation.rs"] {
            assert!(explained("Binary/x", closed).refused.is_some(), "{closed}");
        }
    }

    #[test]
    fn includes_that_no_scope_opens_are_left_out() {
        let request = "MedicationRequest?_include=MedicationRequest:medication&_revinclude=Provenance:target";
        let all = explained(request, "patient/*.read").includes;
        let all: Vec<_> = all.iter().map(|one| (one.brings.as_str(), one.reverse, one.left_out)).collect();
        assert_eq!(all, [("Medication", false, true), ("Provenance", true, false)]);
    }

    #[test]
    fn a_refusal_keeps_the_criteria_that_were_understood() {
        let code = |explained: &Explanation| {
            explained.refused.as_ref().and_then(|outcome| outcome["issue"][0]["code"].as_str().map(str::to_owned))
        };
        let denied = explained("Condition?code=k", "patient/Observation.read");
        assert_eq!((denied.criteria.len(), code(&denied).as_deref()), (1, Some("forbidden")));
        let bad = explained("Observation?foo=1", "patient/*.read");
        assert_eq!((bad.resource_type.as_str(), code(&bad).as_deref()), ("Observation", Some("not-supported")));
        for nowhere in ["", "Foo", "Foo/x", "Observation/x/y", "?a=b", "Observation/$x"] {
            assert!(explained(nowhere, "patient/*.read").refused.is_some(), "{nowhere}");
        }
    }
}
