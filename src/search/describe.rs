//! Descriptions of queries: the conditions of clauses, the order of an answer, and its includes. These texts show
//! people how a query was understood. No decision depends on them.

use super::clause::Clause;
use super::clinical_order::clinical_order;
use super::include::Include;
use super::join::{Hop, Join, Subquery};
use super::kind::Criterion;
use super::query::{Query, SortRule};
use super::words::Texts;
use fhir::{Language, ResourceType};

impl Clause {
    /// Returns the condition in words: `category is laboratory of http://… or vital-signs of http://…`.
    pub fn describe(&self) -> String {
        self.describe_with(self.param.name, Texts::of(Language::English), &Criterion::words)
    }

    /// Returns the condition without code systems, for readers who know the codes: `category is laboratory`. A
    /// condition of a scope is described in the given language, others in English.
    pub fn in_short(&self, language: Language) -> String {
        let texts = Texts::of(language);
        let name = match self.param.name {
            "category" => texts.category,
            "clinical-status" => texts.clinical_status,
            "code" => texts.code,
            "status" => texts.status,
            "type" => texts.kind,
            name => name,
        };
        self.describe_with(name, texts, &|criterion| criterion.in_short(texts))
    }

    fn describe_with(&self, name: &str, texts: &Texts, words: &dyn Fn(&Criterion) -> (&'static str, String)) -> String {
        if self.also.is_some() && self.is_presence() {
            return if self.negated { format!("{name} is missing") } else { format!("{name} is not missing") };
        }
        let mut phrases: Vec<(&str, String)> = Vec::new();
        let mut rest = self.any.iter().peekable();
        while let Some(criterion) = rest.next() {
            let of_two = rest.peek().and_then(|next| criterion.words_of_two(next));
            if of_two.is_some() {
                rest.next();
            }
            let said = of_two.unwrap_or_else(|| words(criterion));
            if !phrases.contains(&said) {
                phrases.push(said);
            }
        }
        let Some((first, _)) = phrases.first() else {
            return format!("{name} {}", if self.negated { "is anything, or missing" } else { texts.nothing });
        };
        let phrase = if phrases.iter().all(|(verb, _)| verb == first) {
            let objects: Vec<_> = phrases.iter().map(|(_, object)| object.as_str()).collect();
            format!("{first} {}", objects.join(texts.or))
        } else {
            let each: Vec<_> = phrases.iter().map(|(verb, object)| format!("{verb} {object}")).collect();
            each.join(texts.or)
        };
        if self.negated { format!("no {name} {phrase}") } else { format!("{name} {phrase}") }
    }
}

impl Join {
    /// Returns the condition in words: `encounter leads to a resource of type Encounter: status is finished`.
    pub fn describe(&self) -> String {
        let name = self.hop.param().name;
        let each: Vec<_> =
            self.alternatives.iter().map(|inner| format!("{}: {}", inner.resource_type, inner.describe())).collect();
        match self.hop {
            Hop::To(_) => format!("{name} leads to a resource of type {}", each.join(", or of type ")),
            Hop::From(_) => format!("it is the {name} of a resource of type {}", each.join(", or of type ")),
        }
    }
}

impl Subquery {
    fn describe(&self) -> String {
        let clauses = self.all.iter().map(Clause::describe);
        clauses.chain(self.joins.iter().map(Join::describe)).collect::<Vec<_>>().join(" and ")
    }
}

impl Query {
    /// Returns the order of the answer, in words.
    pub fn describe_order(&self) -> String {
        let (keys, descending) = self.sort_keys();
        let ids = if descending { "by id, from the last" } else { "by id" };
        if self.sort.is_empty() {
            let dates: Vec<_> = clinical_order(self.resource_type).iter().filter_map(|paths| element(paths)).collect();
            return format!("newest first by {}, then {ids}", dates.join(", else "));
        }
        let key = |SortRule { param, descending }: &SortRule| match (param.kind.is_date(), descending) {
            (true, true) => format!("newest first by {}", param.name),
            (true, false) => format!("oldest first by {}", param.name),
            (false, true) => format!("by {}, from the last", param.name),
            (false, false) => format!("by {}", param.name),
        };
        let keys: Vec<_> = keys.iter().map(key).chain([ids.to_owned()]).collect();
        keys.join(", then ")
    }
}

/// Returns the name of an element from its paths: `effective[x]`.
fn element(paths: &[&str]) -> Option<String> {
    let first = *paths.first()?;
    let extension = first.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map(|(address, _)| address);
    Some(match (extension, first.strip_suffix("DateTime")) {
        (Some(address), _) => address.rsplit('/').next().unwrap_or(address).to_owned(),
        (None, Some(stem)) => format!("{stem}[x]"),
        (None, None) => first.to_owned(),
    })
}

/// The most types of included resources that a description names.
const MAX_NAMED: usize = 6;

impl Include {
    /// Returns a description of the resources that the include adds to matches of type `resource_type`.
    pub fn describe(&self, resource_type: ResourceType) -> String {
        let types = self.added_types(resource_type);
        let few = types.len() <= MAX_NAMED && !types.is_empty();
        let names: Vec<_> = types.iter().filter(|_| few).map(|added| added.name()).collect();
        let added = if few { names.join(" or ") } else { "resource".to_owned() };
        let from = if self.iterates { "a match, or something that was included," } else { "a match" };
        match (self.is_reverse, self.param) {
            (false, None) => format!("each {added} that {from} refers to"),
            (false, Some(param)) => format!("each {added} that the {} of {from} refers to", param.name),
            (true, None) => format!("each {added} that refers to {from}").trim_end_matches(',').to_owned(),
            (true, Some(param)) => {
                format!("each {added} whose {} is {from}", param.name).trim_end_matches(',').to_owned()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Handling, parse};
    use ResourceType as T;

    fn query(resource_type: T, name: &str, value: &str) -> Query {
        parse(resource_type, &[(name.to_owned(), value.to_owned())], Handling::Strict, "http://here").unwrap()
    }

    fn says(resource_type: T, name: &str, value: &str) -> String {
        query(resource_type, name, value).all[0].describe()
    }

    #[test]
    fn clauses_are_described() {
        for (name, value, expected) in [
            ("category", "laboratory", "category is laboratory"),
            ("category", "http://s|Laboratory,|survey", "category is laboratory of http://s or survey of no system"),
            ("code", "http://s|", "code is any code of http://s"),
            ("status", "|final", "status is something that no resource has"),
            ("status", "http://hl7.org/fhir/observation-status|", "status has a value"),
            ("date", "2024", "date lies within 2024"),
            ("date", "2024-02-29T10:00", "date lies within 2024-02-29T10:00"),
            (
                "date",
                "2024-02-29T10:00:00.5Z",
                "date lies within 2024-02-29T10:00:00.500Z up to 2024-02-29T10:00:00.600Z",
            ),
            ("date", "ge2024-02", "date is on or after 2024-02"),
            ("date", "le2024-02-29,ge2025", "date is on or before 2024-02-29 or is on or after 2025"),
            ("date", "gt2024-02,2023", "date reaches beyond 2024-03-01 or lies within 2023"),
            ("date", "lt2024,sa2025", "date starts before 2024-01-01 or starts not before 2026-01-01"),
            ("date", "eb2024-01-01T10:00:00Z", "date ends before 2024-01-01T10:00:00.000Z"),
            ("date", "ap1970", "date overlaps 1970"),
            ("_id", "a,b", "_id is a or b"),
        ] {
            assert_eq!(says(T::Observation, name, value), expected, "{value}");
        }
        assert_eq!(says(T::Patient, "name", "José"), "name has a word that begins with “jose”");
        assert_eq!(says(T::Patient, "name:exact", "José"), "name is exactly “José”");
        assert_eq!(says(T::Condition, "encounter", "e"), "encounter refers to Encounter/e");
    }

    #[test]
    fn joins_are_described() {
        let says = |resource_type, name: &str, value: &str| query(resource_type, name, value).joins[0].describe();
        assert_eq!(
            says(T::Condition, "encounter.patient.gender", "male"),
            "encounter leads to a resource of type Encounter: patient leads to a resource of type Patient: gender is male"
        );
        assert_eq!(
            says(T::Patient, "_has:Observation:patient:code:not", "a"),
            "it is the patient of a resource of type Observation: no code is a"
        );
    }

    #[test]
    fn negated_clauses_are_described() {
        assert_eq!(says(T::Observation, "category:missing", "true"), "category is missing");
        assert_eq!(says(T::Observation, "category:missing", "false"), "category is not missing");
        assert_eq!(says(T::AllergyIntolerance, "clinical-status:not", "a,b"), "no clinical-status is a or b");
        let negated = |on, name, value| Clause { negated: true, ..query(on, name, value).all.remove(0) };
        let category = query(T::Observation, "category:not", "http://s|laboratory,survey").all.remove(0);
        assert_eq!(category.describe(), "no category is laboratory of http://s or survey");
        assert_eq!(category.in_short(Language::English), "no category is laboratory or survey");
        let date = negated(T::Observation, "date", "lt2024,sa2025");
        assert_eq!(date.describe(), "no date starts before 2024-01-01 or starts not before 2026-01-01");
        let present = negated(T::Observation, "status", "http://hl7.org/fhir/observation-status|");
        assert_eq!(present.describe(), "no status has a value");
        assert_eq!(negated(T::Observation, "status", "|final").describe(), "status is anything, or missing");
    }

    #[test]
    fn short_descriptions_leave_out_systems() {
        let clause = query(T::Observation, "category", "http://s|laboratory,laboratory").all.remove(0);
        assert_eq!(clause.in_short(Language::English), "category is laboratory");
        for (name, value, expected) in [
            ("category", "http://s|laboratory,survey", "la categoría es laboratory o survey"),
            ("status", "http://hl7.org/fhir/observation-status|", "el estado tiene un valor"),
            ("status", "|final", "el estado es algo que ningún registro tiene"),
            ("code", "http://s|", "el código es cualquier código de http://s"),
        ] {
            let clause = query(T::Observation, name, value).all.remove(0);
            assert_eq!(clause.in_short(Language::Spanish), expected);
        }
    }

    #[test]
    fn orders_and_includes_are_described() {
        let order = |resource_type, name, value| query(resource_type, name, value).describe_order();
        let observations = order(T::Observation, "_count", "1");
        assert_eq!(observations, "newest first by effective[x], else issued, then by id");
        let conditions = order(T::Condition, "_count", "1");
        let dates = "onset[x], else condition-assertedDate, else recordedDate";
        assert_eq!(conditions, format!("newest first by {dates}, then by id"));
        let sorted = order(T::Observation, "_sort", "date,-_id");
        assert_eq!(sorted, "oldest first by date, then by id, from the last");
        let include = query(T::MedicationRequest, "_include", "MedicationRequest:medication").include[0];
        assert_eq!(include.describe(T::MedicationRequest), "each Medication that the medication of a match refers to");
        let back = query(T::Observation, "_revinclude", "Provenance:target").revinclude[0];
        assert_eq!(back.describe(T::Observation), "each Provenance whose target is a match");
    }
}
