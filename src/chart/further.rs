//! The index of a chart by parameters outside of US Core. It is inflated when one of its columns is first needed.

use std::cell::OnceCell;

use super::deflate::{Contents, block, inflated, parts};
use super::error::ChartError;
use super::head::StoredFurther;
use fhir::{ResourceType, to_postcard};
use search::ParamId;

/// The index by further parameters.
#[derive(Debug)]
pub struct FurtherIndex {
    block: Vec<u8>,
    index: OnceCell<Result<StoredFurther, ChartError>>,
}

impl FurtherIndex {
    /// Returns the block of an index by these parameters of a type. Only some of them have columns.
    pub fn pack(resource_type: ResourceType, params: &[ParamId], index: &StoredFurther) -> Vec<u8> {
        let mut bits = Vec::new();
        for (at, _) in ParamId::of_type(resource_type).enumerate().filter(|(_, id)| params.contains(id)) {
            bits.resize(at / 8 + 1, 0);
            if let Some(byte) = bits.last_mut() {
                *byte |= 1 << (at % 8);
            }
        }
        block(&bits, &to_postcard(index))
    }

    /// Returns the index in a block.
    ///
    /// # Errors
    /// If the block is truncated.
    pub fn open(block: &[u8]) -> Result<Self, ChartError> {
        parts(block)?;
        Ok(Self { block: block.to_vec(), index: OnceCell::new() })
    }

    /// Returns the parameters of the type by which the chart is indexed.
    pub fn params(&self, resource_type: ResourceType) -> impl Iterator<Item = ParamId> {
        let bits = parts(&self.block).map_or(&[][..], |(bits, ..)| bits);
        let is_set = |at: usize| bits.get(at / 8).is_some_and(|byte| byte & (1 << (at % 8)) != 0);
        ParamId::of_type(resource_type).enumerate().filter(move |(at, _)| is_set(*at)).map(|(_, id)| id)
    }

    /// Returns the index.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn index(&self) -> Result<&StoredFurther, &ChartError> {
        let index = self.index.get_or_init(|| {
            let Contents { inflated, .. } = inflated(&self.block)?;
            postcard::from_bytes(&inflated).map_err(|_| ChartError::new("a further index is damaged"))
        });
        index.as_ref()
    }

    /// Returns the size of the inflated index, in bytes.
    pub fn size(&self) -> usize {
        self.block.len() + parts(&self.block).map_or(0, |(_, length, _)| length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::IndexedResource;
    use crate::deflate::{blocks, deflate_with_further};
    use crate::evaluate::Candidate;
    use crate::pack::pack;
    use crate::view::View;
    use crate::{Chart, ChartError};
    use fhir::Id;
    use search::registry::named;
    use search::{Clause, Handling, IndexSet, SortKey, facts, parse};
    use serde_json::json;
    use smart::Owner;

    const ON: ResourceType = ResourceType::Observation;

    fn head() -> Vec<u8> {
        let rows = ["a", "b"].map(|name| {
            let code = json!({"coding": [{"code": name}]});
            let resource = json!({
                "resourceType": "Observation", "id": name, "subject": {"reference": "Patient/p"}, "code": code,
                "encounter": {"reference": format!("Encounter/{name}")}, "component": [{"code": code}],
            });
            let id = Id::parse(name).unwrap();
            IndexedResource {
                resource_type: ON,
                owner: Owner::Patients([Id::parse("p").unwrap()].into()),
                sort_key: SortKey::new(None, &id),
                version: "1".to_owned(),
                facts: facts(ON, &resource, "", IndexSet::of_r4(), &|_| None),
                body: resource.to_string(),
                id,
            }
        });
        pack(&rows, IndexSet::of_r4()).head
    }

    fn found(chart: &Chart, name: &str, value: &str) -> Vec<String> {
        let clauses: Vec<Clause> = parse(ON, &[(name.to_owned(), value.to_owned())], Handling::Strict, "").unwrap().all;
        let view = View::new(chart, clauses.iter(), &[]);
        view.rows().filter(|row| row.satisfies(&clauses[0])).map(|row| row.id().to_owned()).collect()
    }

    #[test]
    fn further_columns_are_inflated_when_one_is_asked_for() {
        let chart = Chart::open(ON, &head()).unwrap();
        let is_inflated = || chart.further.as_ref().unwrap().index.get().is_some();
        assert!(
            ["code", "subject", "encounter", "combo-code"]
                .iter()
                .all(|name| { chart.is_indexed_by(named(ON, name).unwrap()) })
        );
        assert_eq!(
            (found(&chart, "code", "a"), found(&chart, "subject", "Patient/p").len()),
            (vec!["a".to_owned()], 2)
        );
        assert!(!is_inflated());
        assert_eq!((found(&chart, "encounter", "b"), is_inflated()), (vec!["b".to_owned()], true));
        assert_eq!(found(&chart, "combo-code", "b"), ["b"]);
    }

    #[test]
    fn further_columns_that_are_damaged_are_an_error_where_they_are_asked_for() {
        let head = head();
        let (own, further) = blocks(&head).unwrap();
        let damaged = deflate_with_further(own, &[&further.unwrap()[..20], &[0xff; 9]].concat());
        let chart = Chart::open(ON, &damaged).unwrap();
        assert_eq!((found(&chart, "code", "a"), chart.check()), (vec!["a".to_owned()], Ok(())));
        assert!(found(&chart, "encounter", "b").is_empty());
        assert_eq!(chart.check(), Err(ChartError::new("an index is damaged")));
        assert!(Chart::open(ON, &deflate_with_further(own, &further.unwrap()[..3])).is_err());
    }
}
