//! A resource as stored: its final text, and all data that searches need, which are extracted when it is loaded.

use std::rc::Rc;

use crate::evaluate::Candidate;
use fhir::{Id, Micros, Reference, ResourceType, Span, http_date};
use search::registry::{changed, params_of};
use search::sorting::codes_of_text;
use search::{Clause, Fact, Facts, MISSING, Param, SortKey, SortRule, values_of};
use smart::Owner;

/// A loaded resource. `ingest` creates it.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexedResource {
    /// The type.
    pub resource_type: ResourceType,
    /// The id.
    pub id: Id,
    /// The patients to whom the resource belongs.
    pub owner: Owner,
    /// The sort key, which determines the position in the default order.
    pub sort_key: SortKey,
    /// See `StoredResource::version` in `store`.
    pub version: String,
    /// The facts of its search parameters.
    pub facts: Facts,
    /// The final text.
    pub body: String,
}

impl IndexedResource {
    /// Returns the reference to the resource.
    pub fn reference(&self) -> Reference {
        Reference { resource_type: self.resource_type, id: self.id.clone() }
    }

    /// Returns the values of one parameter: the facts of its columns.
    pub fn facts_of(&self, param: &Param) -> impl Iterator<Item = &Fact> {
        values_of(&self.facts, param)
    }

    /// Returns the times of one parameter.
    pub fn spans_of(&self, param: &Param) -> impl Iterator<Item = Span> {
        self.facts_of(param).filter_map(Fact::span)
    }

    /// Returns the resources that this one refers to by a parameter.
    pub fn references(&self, param: &Param) -> impl Iterator<Item = Reference> {
        self.facts_of(param).filter_map(|fact| Reference::parse(fact.reference()?))
    }

    /// Returns the resources of the types of [`Param::included`] that this one refers to.
    pub fn links(&self) -> impl Iterator<Item = (&'static Param, Reference)> {
        params_of(self.resource_type).flat_map(move |param| {
            let targets = move |to| self.references(param).filter(move |target| target.resource_type == to);
            param.included.iter().flat_map(move |to| targets(*to)).map(move |target| (param, target))
        })
    }

    /// See `StoredResource::modified` in `store`.
    pub fn modified(&self) -> Option<String> {
        let (param, _) = self.facts.iter().find(|(param, _)| param.name == "_lastUpdated")?;
        http_date(self.spans_of(param).next()?.from)
    }

    /// Returns the time at which this server stored or last changed the resource, if known.
    pub fn changed_at(&self) -> Option<Micros> {
        let param = changed(self.resource_type)?;
        Some(self.spans_of(param).next()?.from)
    }

    /// Sets the time of [`Self::changed_at`], which is the last of the facts.
    pub fn set_changed_at(&mut self, time: Option<Micros>) {
        let Some(param) = changed(self.resource_type) else { return };
        self.facts.retain(|(of, _)| of.id != param.id);
        let fact = time.map(|from| Span { from, until: from.saturating_add(1) }.into());
        self.facts.extend(fact.map(|fact| (param, fact)));
    }

    /// Returns the time of the type's clinical date parameter, which is also the time in the sort key.
    pub fn clinical(&self) -> Option<Span> {
        let (param, _) = self.facts.iter().find(|(param, _)| param.clinical)?;
        self.spans_of(param).next()
    }
}

impl<'a> Candidate<'a> for &'a IndexedResource {
    fn resource_type(self) -> ResourceType {
        self.resource_type
    }

    fn id(self) -> &'a str {
        self.id.as_str()
    }

    fn sort_key(self) -> &'a str {
        self.sort_key.as_str()
    }

    fn owner(self) -> &'a Owner {
        &self.owner
    }

    fn values(self, param: &'static Param) -> Vec<Rc<str>> {
        self.facts_of(param).map(|fact| fact.text().into()).collect()
    }

    fn satisfies(self, clause: &'a Clause) -> bool {
        clause.holds(|param| self.facts_of(param))
    }

    fn add_sort_code(self, rule: &SortRule, to: &mut String) {
        if rule.is_by_name() {
            // The text was already parsed when it was loaded.
            to.push_str(codes_of_text(&[*rule], &self.body).as_deref().unwrap_or(MISSING));
        } else {
            to.push_str(&rule.code(self.facts_of(rule.param)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Candidate;
    use crate::{Chart, View, pack, without};
    use search::{IndexSet, SortKey, changed_between, facts};

    #[test]
    fn a_chart_has_the_times_of_changes_and_where_it_does_not_know_them_a_question_about_them_finds_all() {
        let resource_type = ResourceType::Observation;
        let row = |name: &str, time| {
            let (id, body) =
                (Id::parse(name).unwrap(), format!("{{\"resourceType\":\"Observation\",\"id\":\"{name}\"}}"));
            let mut row = IndexedResource {
                resource_type,
                owner: Owner::Everyone,
                sort_key: SortKey::new(None, &id),
                version: "1".to_owned(),
                facts: facts(resource_type, &fhir::read_own(&body), &body, IndexSet::us_core(), &|_| None),
                body,
                id,
            };
            row.set_changed_at(Some(5));
            row.set_changed_at(time);
            assert_eq!(row.changed_at(), time);
            row
        };
        let packed = pack(&[row("a", Some(10)), row("b", Some(11)), row("c", None)], IndexSet::us_core());
        let clauses = changed_between(resource_type, Some(10), None);
        let found = |head: &[u8]| {
            let chart = Chart::open(resource_type, head).unwrap();
            let view = View::new(&chart, clauses.iter(), &[]);
            let found: Vec<_> = view.rows().filter(|row| clauses.iter().all(|clause| row.satisfies(clause))).collect();
            found.iter().map(|row| row.id().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(found(&packed.head), ["b", "c"]);
        assert_eq!(found(&without(&packed.head, changed(resource_type).unwrap().id).unwrap()), ["a", "b", "c"]);
    }
}
