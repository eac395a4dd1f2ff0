//! The searches for the resources that carry a Binary.

use super::carrier::CARRIERS;
use super::clause::Clause;
use super::kind::TokenCriterion;
use super::query::Query;
use super::registry::attachment;

/// Returns the searches for the resources that carry the Binary with this address, one for each type.
pub fn carriers_of(address: &str) -> impl Iterator<Item = Query> {
    CARRIERS.iter().filter_map(move |(resource_type, _)| {
        let is_it = TokenCriterion::Coded { system: String::new(), code: address.to_owned() };
        let clause = Clause { param: attachment(*resource_type)?, any: vec![is_it.into()], also: None, negated: false };
        Some(Query { all: vec![clause], ..Query::everything(*resource_type) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::params_of;
    use crate::{Facts, IndexSet, facts};
    use serde_json::json;

    #[test]
    fn no_query_asks_for_attachments_and_each_type_that_carries_has_them_in_every_set() {
        let address = "https://here/Binary/a";
        assert_eq!(carriers_of(address).count(), CARRIERS.len(), "each type has a number for its attachments");
        for (query, (resource_type, path)) in carriers_of(address).zip(CARRIERS) {
            let param = query.all[0].param;
            assert!(params_of(resource_type).all(|other| other.name != param.name), "{resource_type}");
            let element = json!({"contentType": "application/pdf", "url": address});
            let resource = path.rsplit('.').fold(element, |inner, name| json!({name: [inner]}));
            let of = |set| -> Facts { facts(resource_type, &resource, "", set, &|_| None) };
            for found in [of(IndexSet::us_core()), of(IndexSet::of_r4())] {
                let values: Vec<_> = found.into_iter().filter(|(of, _)| *of == param).map(|(_, fact)| fact).collect();
                assert_eq!(values.len(), 1, "{resource_type}");
                assert!(query.is_identifying() && query.all[0].holds(|_| values.iter()), "{resource_type}");
                assert!(!carriers_of("https://here/Binary/b").any(|query| query.all[0].holds(|_| values.iter())));
            }
        }
    }
}
