//! The Groups to which the registration of a client limits it.

use super::clause::Clause;
use super::kind::{Criterion, TokenCriterion};
use super::registry::{group_party, id_param};
use fhir::{Id, Reference, ResourceType};

/// Returns the clause of the Groups with these names. A name is the id of a Group, or a party as `Type/id` or
/// `system|value`: all Groups that it manages or that it is a characteristic of. Any other text names no Group.
pub fn groups_named(names: &[String]) -> Clause {
    let any: Vec<_> = names.iter().filter_map(|name| Id::parse(name)).map(Into::into).collect();
    let parties: Vec<_> = names.iter().filter_map(|name| party(name)).collect();
    let also = group_party(ResourceType::Group).zip(Some(parties)).filter(|(_, parties)| !parties.is_empty());
    Clause { param: id_param(ResourceType::Group), any, also, negated: false }
}

/// Returns whether a text is a name of Groups for [`groups_named`].
#[must_use]
pub fn names_groups(name: &str) -> bool {
    Id::parse(name).is_some() || party(name).is_some()
}

fn party(name: &str) -> Option<Criterion> {
    let (system, code) = match name.split_once('|') {
        Some((system, value)) if !system.is_empty() && !value.is_empty() => (system.to_owned(), value.to_owned()),
        Some(_) => return None,
        None => {
            let is_party = |to: &Reference| to.resource_type != ResourceType::Group && to.to_string() == name;
            (String::new(), Reference::parse(name).filter(is_party)?.to_string())
        }
    };
    Some(TokenCriterion::Coded { system, code }.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{IndexSet, facts};
    use serde_json::{Value, json};

    #[test]
    fn a_client_has_the_groups_that_are_named_by_id_or_by_a_party_and_no_others() {
        let finds = |names: &[&str], group: &Value| {
            let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
            let facts = facts(ResourceType::Group, group, "", IndexSet::us_core(), &|_| None);
            groups_named(&names).holds(|param| facts.iter().filter(move |(of, _)| *of == param).map(|(_, fact)| fact))
        };
        let npi = |value: &str| json!({"identifier": {"system": "http://npi", "value": value}});
        let by =
            |party: &Value| json!({"id": "g", "characteristic": [{"valueBoolean": true}, {"valueReference": party}]});
        let organization = json!({"reference": "Organization/b"});
        for (names, group, is_found) in [
            (&["g"][..], json!({"id": "g"}), true),
            (&["h", "g"], json!({"id": "g"}), true),
            (&["h"], json!({"id": "g"}), false),
            (&[], json!({"id": "g"}), false),
            (&["http://npi|1"], by(&npi("1")), true),
            (&["h", "http://npi|1"], by(&npi("1")), true),
            (&["http://npi|1"], json!({"id": "g", "managingEntity": npi("1")}), true),
            (&["http://npi|1"], by(&npi("2")), false),
            (&["http://npi|1"], by(&json!({"identifier": {"value": "1"}})), false),
            (&["http://npi|1"], json!({"id": "g", "identifier": [{"system": "http://npi", "value": "1"}]}), false),
            (&["Organization/b"], by(&organization), true),
            (&["Organization/b"], json!({"id": "g", "managingEntity": organization}), true),
            (&["Organization/c"], by(&organization), false),
            (&["Practitioner/b", "b"], by(&organization), false),
            // An identifier does not pass for an address, and a text without meaning finds nothing.
            (&["Organization/b"], by(&json!({"identifier": {"value": "Organization/b"}})), false),
            (&["|1", "http://npi|", "", "*"], by(&npi("1")), false),
        ] {
            assert_eq!(finds(names, &group), is_found, "{names:?} {group}");
        }
    }
}
