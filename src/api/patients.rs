//! Search for patients by name, for the patient selection of signing in. The store is asked with the user's own grant,
//! so no page shows a patient whom the user may not see.

use serde_json::Value;

use crate::fhir::ResourceType;
use crate::oauth::{AuthStoreError, PatientCard, PatientDirectory, PatientQuery};
use crate::search::{Handling, parse};
use crate::smart::{Grant, ScopeSet};
use crate::store::{Store, StoreError};

/// The most patients on a page.
const MOST: &str = "100";

/// The patients of a store, searched by name.
pub struct StorePatients<'a, S> {
    /// The store.
    pub store: &'a S,
    /// The address of the FHIR base.
    pub base: &'a str,
}

impl<S: Store> PatientDirectory for StorePatients<'_, S> {
    async fn find(&self, user: &str, wanted: PatientQuery<'_>) -> Result<Vec<PatientCard>, AuthStoreError> {
        let (name, value) = match wanted {
            PatientQuery::These([]) => return Ok(Vec::new()),
            PatientQuery::These(ids) => ("_id", ids.join(",")),
            PatientQuery::Named(words) => ("name", escape(words)),
        };
        let parameters = [(name.to_owned(), value), ("_count".to_owned(), MOST.to_owned())];
        // A text that is neither an id nor a name finds nobody.
        let Ok(query) = parse(ResourceType::Patient, &parameters, Handling::Strict, self.base) else {
            return Ok(Vec::new());
        };
        let scopes = ScopeSet::parse("user/Patient.rs").unwrap_or_default();
        let grant = Grant { user: Some(user.to_owned()), scopes, ..Grant::default() };
        let Ok(permitted) = grant.narrow(query, None) else { return Ok(Vec::new()) };
        let page = self.store.search(&permitted, None).await.map_err(|error| {
            AuthStoreError(match error {
                StoreError::Unavailable(detail) | StoreError::Damaged(detail) | StoreError::GrantStatus(detail) => {
                    detail
                }
                StoreError::TooCostly => "the patients are too many to look through".to_owned(),
                StoreError::NotIndexed(param) => format!("the patients are not indexed by {}", param.name),
                StoreError::Revoked => "the store speaks of a grant that was not there".to_owned(),
            })
        })?;
        let mut cards = Vec::new();
        for body in page.matches {
            cards.extend(cards_in(&body.into())?);
        }
        cards.sort_by(|a, b| (&a.name, &a.id).cmp(&(&b.name, &b.id)));
        Ok(cards)
    }
}

/// The text with the separators of search values escaped (<https://hl7.org/fhir/R4/search.html#escaping>).
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

/// The cards of a list of Bundle entries, which are separated by commas.
fn cards_in(entries: &str) -> Result<Vec<PatientCard>, AuthStoreError> {
    let entries: serde_json::Result<Vec<Value>> = serde_json::from_str(&format!("[{entries}]"));
    let entries = entries.map_err(|_| AuthStoreError("the stored text of a patient is damaged".to_owned()))?;
    Ok(entries.iter().filter_map(card).collect())
}

/// The card of a Bundle entry.
fn card(entry: &Value) -> Option<PatientCard> {
    let patient = entry.get("resource")?;
    let names = patient.get("name").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let used = |name: &&Value| name.get("use").and_then(Value::as_str).is_none_or(|is| !matches!(is, "old" | "maiden"));
    let name = names.iter().find(used).or(names.first()).map(display_name).filter(|name| !name.is_empty());
    let text = |member: &str| patient.get(member).and_then(Value::as_str).map(str::to_owned);
    Some(PatientCard { id: text("id")?, name: name.unwrap_or_else(|| "(no name)".to_owned()), born: text("birthDate") })
}

/// A HumanName as one text: given names, family name and suffixes, or its `text`.
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
    use super::*;

    fn name(patient: &str) -> Option<String> {
        cards_in(&format!(r#"{{"resource":{patient}}}"#)).unwrap().pop().map(|card| card.name)
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
    fn separators_in_a_name_are_escaped() {
        assert_eq!(escape(r"a,b|c$d\"), r"a\,b\|c\$d\\");
    }
}
