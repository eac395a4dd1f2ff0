//! Search for patients by name, for the patient selection of signing in. The store is queried with the user's own
//! grant, so no page shows a patient whom the user may not see.

use serde_json::Value;

use fhir::{Id, Reference, ResourceType};
use oauth::{AuthStoreError, EncounterCard, FoundPatients, PatientCard, PatientDirectory, PatientQuery};
use search::{Handling, parse};
use smart::{Grant, ScopeSet};
use store::{Store, StoreError};

/// The most patients on a page.
const MAX: &str = "100";

/// The patients of a store, searched by name.
pub struct StorePatients<'a, S> {
    pub store: &'a S,
    /// The address of the FHIR base.
    pub base: &'a str,
}

impl<S: Store> PatientDirectory for StorePatients<'_, S> {
    async fn find(&self, user: &str, wanted: PatientQuery<'_>) -> Result<FoundPatients, AuthStoreError> {
        let mut found = FoundPatients::default();
        match wanted {
            PatientQuery::Named(words) => {
                let entries = self.entries(user, "name", escape(words)).await.map_err(|error| failure(&error))?;
                entries.iter().for_each(|entry| self.add(entry, &mut found));
            }
            PatientQuery::These(ids) => {
                // One of several values may be damaged. Each half is queried again, until the damaged value is found.
                let mut lists: Vec<&[String]> = Some(ids).filter(|ids| !ids.is_empty()).into_iter().collect();
                while let Some(ids) = lists.pop() {
                    match self.entries(user, "_id", ids.join(",")).await {
                        Ok(entries) => entries.iter().for_each(|entry| self.add(entry, &mut found)),
                        Err(StoreError::Damaged(why)) if ids.len() == 1 => found.unread = Some(why),
                        Err(StoreError::Damaged(_)) => lists.extend(<[_; 2]>::from(ids.split_at(ids.len() / 2))),
                        Err(error) => return Err(failure(&error)),
                    }
                }
            }
        }
        found.cards.sort_by(|a, b| (&a.name, &a.id).cmp(&(&b.name, &b.id)));
        Ok(found)
    }

    async fn encounters(
        &self,
        user: &str,
        patient: &str,
        id: Option<&str>,
    ) -> Result<Vec<EncounterCard>, AuthStoreError> {
        // A list of ids would name several patients.
        if Id::parse(patient).is_none() || id.is_some_and(|id| Id::parse(id).is_none()) {
            return Ok(Vec::new());
        }
        let mut parameters = vec![("patient", patient), ("_count", MAX), ("_elements", "class,type,period")];
        parameters.extend(id.map(|id| ("_id", id)));
        let entries = self.search(user, ResourceType::Encounter, &parameters).await.map_err(|error| failure(&error))?;
        let cards = entries.iter().map(|entry| serde_json::from_str(entry).ok().as_ref().and_then(encounter_card));
        cards
            .map(|card| card.ok_or_else(|| AuthStoreError("the stored text of an encounter is damaged".to_owned())))
            .collect()
    }
}

impl<S: Store> StorePatients<'_, S> {
    /// Returns the Bundle entries of the patients whom a user may see and a parameter finds.
    async fn entries(&self, user: &str, name: &str, value: String) -> Result<Vec<String>, StoreError> {
        // A store returns each entry separately if only some elements are requested.
        let parameters = [(name, value.as_str()), ("_count", MAX), ("_elements", "name,birthDate,deceased")];
        self.search(user, ResourceType::Patient, &parameters).await
    }

    /// Returns the Bundle entries that a user may see and a search finds.
    async fn search(
        &self,
        user: &str,
        resource_type: ResourceType,
        parameters: &[(&str, &str)],
    ) -> Result<Vec<String>, StoreError> {
        let parameters: Vec<_> =
            parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        // A text that is neither an id nor a name finds nobody.
        let Ok(query) = parse(resource_type, &parameters, Handling::Strict, self.base) else {
            return Ok(Vec::new());
        };
        let scopes = format!("user/{}.rs", resource_type.name());
        let scopes = ScopeSet::parse(&scopes).unwrap_or_default();
        let grant = Grant { user: Some(user.to_owned()), scopes, ..Grant::default() };
        let Ok(permitted) = grant.narrow(query, None) else { return Ok(Vec::new()) };
        Ok(self.store.search(&permitted, None).await?.matches.into_iter().map(Into::into).collect())
    }

    /// Adds the card of a Bundle entry.
    fn add(&self, entry: &str, to: &mut FoundPatients) {
        match serde_json::from_str(entry).ok().as_ref().and_then(card) {
            Some(card) => to.cards.push(card),
            None => {
                // An entry begins with its address, which is not part of the stored text.
                let address = entry.split('"').nth(3).and_then(|url| url.strip_prefix(self.base));
                let reference = address.map(|path| path.trim_start_matches('/')).and_then(Reference::parse);
                let patient = reference.map_or_else(|| "a patient".to_owned(), |patient| patient.to_string());
                to.unread = Some(format!("the stored text of {patient} is damaged"));
            }
        }
    }
}

fn failure(error: &StoreError) -> AuthStoreError {
    AuthStoreError(error.to_string())
}

/// Returns the text with the separators of search values escaped (<https://hl7.org/fhir/R4/search.html#escaping>).
fn escape(words: &str) -> String {
    let mut text = String::new();
    for c in words.chars() {
        if matches!(c, '\\' | ',' | '|' | '$') {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

/// Returns the card of a Bundle entry. `None` if its resource has no id.
fn card(entry: &Value) -> Option<PatientCard> {
    let patient = entry.get("resource")?;
    let names = patient.get("name").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let used = |name: &&Value| name.get("use").and_then(Value::as_str).is_none_or(|is| !matches!(is, "old" | "maiden"));
    let name = names.iter().find(used).or(names.first()).map(display_name).filter(|name| !name.is_empty());
    let text = |member: &str| patient.get(member).and_then(Value::as_str).map(str::to_owned);
    Some(PatientCard {
        id: text("id")?,
        name: name.unwrap_or_else(|| "(no name)".to_owned()),
        born: text("birthDate"),
        is_deceased: text("deceasedDateTime").is_some()
            || patient.get("deceasedBoolean").and_then(Value::as_bool).unwrap_or_default(),
    })
}

/// Returns the card of a Bundle entry with an Encounter. `None` if its resource has no id.
fn encounter_card(entry: &Value) -> Option<EncounterCard> {
    let encounter = entry.get("resource")?;
    let text_of = |value: &Value, member: &str| value.get(member).and_then(Value::as_str).map(str::to_owned);
    let kind = encounter.get("type").and_then(|types| types.get(0));
    let coded = kind.and_then(|kind| kind.get("coding")?.get(0));
    let class = encounter.get("class");
    let titles = [
        kind.and_then(|kind| text_of(kind, "text")),
        coded.and_then(|coding| text_of(coding, "display")),
        class.and_then(|class| text_of(class, "display")),
        class.and_then(|class| text_of(class, "code")),
    ];
    Some(EncounterCard {
        id: text_of(encounter, "id")?,
        title: titles.into_iter().flatten().find(|title| !title.trim().is_empty()).unwrap_or_default(),
        since: encounter.get("period").and_then(|period| text_of(period, "start")),
    })
}

/// Returns a HumanName as one text: given names, family name and suffixes, or its `text`.
fn display_name(name: &Value) -> String {
    if let Some(text) = name.get("text").and_then(Value::as_str) {
        return text.to_owned();
    }
    let parts = |member: &str| {
        let parts = name.get(member).and_then(Value::as_array).into_iter().flatten();
        parts.filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
    };
    let family = name.get("family").and_then(Value::as_str).map(str::to_owned);
    [parts("given"), family.into_iter().collect(), parts("suffix")].concat().join(" ")
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use ::ingest::LoadedMemory;
    use search::{Clause, Query};
    use smart::{Authorization, PatientList, Permitted};
    use sqlite::now;
    use store::{AccessList, Cost, Dependency, Page, Read};

    const BASE: &str = "https://here/fhir/r4";

    fn name(patient: &str) -> Option<String> {
        let patient: Value = serde_json::from_str(patient).unwrap();
        card(&serde_json::json!({"resource": patient})).map(|card| card.name)
    }

    #[test]
    fn a_card_has_the_name_in_use() {
        let old = r#"{"use":"old","family":"Bell"}"#;
        let usual = r#"{"use":"usual","given":["Ada","M."],"family":"Reyes","suffix":["Jr."]}"#;
        let of = |names: &str| name(&format!(r#"{{"id":"a","name":[{names}]}}"#)).unwrap();
        assert_eq!(of(&format!("{old},{usual}")), "Ada M. Reyes Jr.");
        assert_eq!(of(old), "Bell");
        assert_eq!(of(r#"{"text":"Dr Ada"}"#), "Dr Ada");
        assert_eq!(name(r#"{"id":"a"}"#).unwrap(), "(no name)");
        assert_eq!(name(r#"{"name":[]}"#), None);
    }

    #[test]
    fn a_card_says_whether_the_patient_has_died() {
        for (member, expected) in [
            (r#","deceasedDateTime":"2026-01-17""#, true),
            (r#","deceasedBoolean":true"#, true),
            (r#","deceasedBoolean":false"#, false),
            ("", false),
        ] {
            let patient: Value = serde_json::from_str(&format!(r#"{{"id":"a"{member}}}"#)).unwrap();
            assert_eq!(card(&serde_json::json!({"resource": patient})).unwrap().is_deceased, expected, "{member}");
        }
    }

    #[test]
    fn the_card_of_an_encounter_has_its_type_or_class_in_words() {
        let of = |members: &str| {
            let encounter: Value = serde_json::from_str(&format!(r#"{{"id":"e"{members}}}"#)).unwrap();
            encounter_card(&serde_json::json!({"resource": encounter})).map(|card| (card.title, card.since)).unwrap()
        };
        let class = r#","class":{"code":"AMB","display":"ambulatory"}"#;
        assert_eq!(of(class), ("ambulatory".to_owned(), None));
        assert_eq!(of(r#","class":{"code":"AMB"},"period":{"start":"2024-05-01"}"#).1.as_deref(), Some("2024-05-01"));
        assert_eq!(of(&format!(r#"{class},"type":[{{"coding":[{{"display":"Check-up"}}]}}]"#)).0, "Check-up");
        assert_eq!(of(&format!(r#"{class},"type":[{{"text":"Yearly visit"}}]"#)).0, "Yearly visit");
        assert_eq!(of("").0, "");
        assert_eq!(encounter_card(&serde_json::json!({"resource": {}})), None);
    }

    /// A store in which the record of the patient `x` is damaged. It counts the searches.
    struct DamagedStore(LoadedMemory, Cell<usize>);

    impl Store for DamagedStore {
        type Body = String;

        async fn search(&self, permitted: &Permitted<Query>, after: Option<&str>) -> Result<Page<String>, StoreError> {
            self.1.set(self.1.get() + 1);
            let ids = permitted.request().all.iter().find_map(Clause::ids).unwrap_or_default();
            if ids.iter().any(|id| id.as_str() == "x") {
                return Err(StoreError::Damaged("x/Patient".to_owned()));
            }
            self.0.store().search(permitted, after).await
        }

        async fn search_each(
            &self,
            searches: &[Permitted<Query>],
            after: Option<&str>,
        ) -> Result<Page<String>, StoreError> {
            self.0.store().search_each(searches, after).await
        }

        async fn read(&self, permitted: &Permitted<Reference>) -> Result<Read<String>, StoreError> {
            self.0.store().read(permitted).await
        }

        async fn check(&self, id: Option<&Authorization>) -> Result<(), StoreError> {
            self.0.store().check(id).await
        }

        async fn dependencies(&self) -> Vec<Dependency> {
            self.0.store().dependencies().await
        }

        fn miss_cost(&self) -> Cost {
            self.0.store().miss_cost()
        }
    }

    #[test]
    fn a_patient_who_cannot_be_read_hides_no_other_one() {
        let mut memory = LoadedMemory::new(BASE);
        for id in ["a", "b", "c", "x"] {
            memory.load(&format!(r#"{{"resourceType":"Patient","id":"{id}","name":[{{"family":"{id}"}}]}}"#), 0);
        }
        memory.enrol(PatientList::OfUser("dr".into()), AccessList::All);
        let store = DamagedStore(memory, Cell::new(0));
        let patients = StorePatients { store: &store, base: BASE };
        let ids = ["a", "x", "b", "c"].map(str::to_owned);
        let FoundPatients { cards, unread } = now(patients.find("dr", PatientQuery::These(&ids))).unwrap();
        let names: Vec<_> = cards.iter().map(|card| card.name.as_str()).collect();
        assert_eq!((names, unread.as_deref()), (vec!["a", "b", "c"], Some("x/Patient")));
        assert_eq!(store.1.take(), 5, "of all, of each half, and of each of the first half");
        assert_eq!(now(patients.find("dr", PatientQuery::These(&ids[2..]))).unwrap().unread, None);
        assert_eq!(
            (now(patients.find("dr", PatientQuery::These(&[]))), store.1.get()),
            (Ok(FoundPatients::default()), 1)
        );
        assert_eq!(now(patients.find_one("dr", "a")).unwrap().map(|card| card.id).as_deref(), Some("a"));
        assert_eq!(now(patients.find_one("dr", "nobody")), Ok(None));
        assert_eq!(now(patients.find_one("dr", "x")), Err(AuthStoreError("x/Patient".to_owned())));
    }

    #[test]
    fn separators_in_a_name_are_escaped() {
        assert_eq!(escape(r"a,b|c$d\"), r"a\,b\|c\$d\\");
    }
}
