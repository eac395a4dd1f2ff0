//! A resource as stored: its final text, and everything that searches need of it, extracted when it was loaded.

use crate::fhir::{Id, Micros, Reference, ResourceType, Span, http_date};
use crate::search::{Fact, Facts, Param, SortKey, changed, params_of};
use crate::smart::Owner;

/// A loaded resource. `ingest` makes them.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexedResource {
    /// The type.
    pub resource_type: ResourceType,
    /// The id.
    pub id: Id,
    /// The patients to whom it belongs.
    pub owner: Owner,
    /// The sort key, which gives its position in the default order.
    pub sort_key: SortKey,
    /// See [`super::StoredResource::version`].
    pub version: String,
    /// The facts of its search parameters.
    pub facts: Facts,
    /// The final text.
    pub body: String,
}

impl IndexedResource {
    /// The reference to it.
    #[must_use]
    pub fn reference(&self) -> Reference {
        Reference { resource_type: self.resource_type, id: self.id.clone() }
    }

    /// The values of one parameter: the facts of its columns.
    pub fn facts_of(&self, param: &Param) -> impl Iterator<Item = &Fact> {
        self.facts.iter().filter(move |(of, _)| param.columns.contains(&of.id)).map(|(_, fact)| fact)
    }

    /// The times of one parameter.
    pub fn spans_of(&self, param: &Param) -> impl Iterator<Item = Span> {
        self.facts_of(param).filter_map(Fact::span)
    }

    /// The resources that it refers to by a parameter.
    pub fn references(&self, param: &Param) -> impl Iterator<Item = Reference> {
        self.facts_of(param).filter_map(|fact| Reference::parse(fact.reference()?))
    }

    /// The resources of the types of [`Param::included`] that it refers to.
    pub fn links(&self) -> impl Iterator<Item = (&'static Param, Reference)> {
        params_of(self.resource_type).flat_map(move |param| {
            let targets = move |to| self.references(param).filter(move |target| target.resource_type == to);
            param.included.iter().flat_map(move |to| targets(*to)).map(move |target| (param, target))
        })
    }

    /// See [`super::StoredResource::modified`].
    #[must_use]
    pub fn modified(&self) -> Option<String> {
        let (param, _) = self.facts.iter().find(|(param, _)| param.name == "_lastUpdated")?;
        http_date(self.spans_of(param).next()?.from)
    }

    /// The time at which this server stored it or changed it last, if that is known.
    #[must_use]
    pub fn changed_at(&self) -> Option<Micros> {
        let param = changed(self.resource_type)?;
        Some(self.spans_of(param).next()?.from)
    }

    /// Sets the time of [`Self::changed_at`]. It is the last of the facts.
    pub fn set_changed_at(&mut self, time: Option<Micros>) {
        let Some(param) = changed(self.resource_type) else { return };
        self.facts.retain(|(of, _)| of.id != param.id);
        let fact = time.map(|from| Span { from, until: from.saturating_add(1) }.into());
        self.facts.extend(fact.map(|fact| (param, fact)));
    }

    /// The time of the type's clinical date parameter, which is the time in its sort key.
    #[must_use]
    pub fn clinical(&self) -> Option<Span> {
        let (param, _) = self.facts.iter().find(|(param, _)| param.clinical)?;
        self.spans_of(param).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{IndexSet, SortKey, changed_between, facts};
    use crate::store::chart::{Chart, View, pack, without};
    use crate::store::evaluate::Candidate;

    #[test]
    fn a_chart_has_the_times_of_changes_and_where_it_does_not_know_them_a_question_about_them_finds_all() {
        let on = ResourceType::Observation;
        let row = |name: &str, time| {
            let (id, body) =
                (Id::parse(name).unwrap(), format!("{{\"resourceType\":\"Observation\",\"id\":\"{name}\"}}"));
            let mut row = IndexedResource {
                resource_type: on,
                owner: Owner::Everyone,
                sort_key: SortKey::new(None, &id),
                version: "1".to_owned(),
                facts: facts(on, &crate::fhir::read_own(&body), &body, IndexSet::us_core(), &|_| None),
                body,
                id,
            };
            row.set_changed_at(Some(5));
            row.set_changed_at(time);
            assert_eq!(row.changed_at(), time);
            row
        };
        let packed = pack(&[row("a", Some(10)), row("b", Some(11)), row("c", None)], IndexSet::us_core());
        let clauses = changed_between(on, Some(10), None);
        let found = |head: &[u8]| {
            let chart = Chart::open(on, head).unwrap();
            let view = View::new(&chart, clauses.iter(), &[]);
            let found: Vec<_> = view.rows().filter(|row| clauses.iter().all(|clause| row.satisfies(clause))).collect();
            found.iter().map(|row| row.id().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(found(&packed.head), ["b", "c"]);
        assert_eq!(found(&without(&packed.head, changed(on).unwrap().id).unwrap()), ["a", "b", "c"]);
    }
}
