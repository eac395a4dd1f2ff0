//! `/sandbox.json`: the published clients and users of the sandbox (docs/decisions/project.md#sandbox). The
//! command line registers the same file.
//!
//! The file names the patients of the sample. A server may contain other data, so the answer lists the loaded patients,
//! and the users who may see one of them.

use serde_json::{Value, json};

use super::patients::StorePatients;
use crate::app_context::AppContext;
use crate::configuration::settings::Environment;
use crate::http::form::FormPairs;
use crate::http::reply::{HeaderPolicy, Reply};
use fhir::{ResourceType, read_own};
use oauth::{AuthStore, AuthStoreError, FoundPatients, PatientCard, PatientDirectory, PatientQuery};
use smart::Level;
use store::Store;

/// The published file, in which `{origin}` and `{type}` are placeholders.
const FILE: &str = include_str!("sandbox.json");
/// The most patients that are listed.
const SHOWN: usize = 100;

/// Returns the document for a server at this origin. A scope of `{type}` in the file stands for those of all types.
pub fn sandbox_registrations(origin: &str) -> String {
    let text = FILE.replace("{origin}", origin.trim_end_matches('/'));
    [Level::Patient, Level::User, Level::System].map(Level::name).iter().fold(text, |text, level| {
        let scopes: Vec<_> =
            ResourceType::served().iter().map(|resource_type| format!("{level}/{resource_type}.read")).collect();
        text.replace(&format!("{level}/{{type}}.read"), &scopes.join(" "))
    })
}

/// A user of the sandbox, whose password is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The user name.
    pub name: String,
    pub password: String,
    pub full_name: String,
}

/// The field of the sign-in form with the name of a published user. The user's button sends it.
pub const SIGN_IN_AS: &str = "sign_in_as";

/// Writes the name and password of a published user into a form that only names the user.
pub fn fill_in(form: &mut FormPairs) {
    let Some((_, name)) = form.iter().find(|(field, _)| field == SIGN_IN_AS).cloned() else { return };
    let document: Value = read_own(FILE);
    if let Some(person) = people_in(&document).find(|person| person.name == name) {
        form.retain(|(field, _)| field != "username" && field != "password");
        form.extend([("username".to_owned(), person.name), ("password".to_owned(), person.password)]);
    }
}

fn people_in(document: &Value) -> impl Iterator<Item = Person> {
    let users = document.get("users").and_then(Value::as_array);
    users.into_iter().flatten().filter_map(|user| {
        let text = |member: &str| user.get(member).and_then(Value::as_str).map(str::to_owned);
        Some(Person { name: text("username")?, password: text("password")?, full_name: text("name")? })
    })
}

/// Returns the users of the sandbox who may see a loaded patient. The list is empty in production, and if the storage
/// does not answer.
pub async fn people<S: Store, L: AuthStore, C>(app: &AppContext<'_, S, L, C>) -> Vec<Person> {
    if app.settings.environment != Environment::Sandbox {
        return Vec::new();
    }
    let (document, _) = list_present(app).await;
    people_in(&document).collect()
}

/// Answers `/sandbox.json`. The address of this server replaces `{origin}` in the file. The text is for the log.
pub async fn sandbox<S: Store, L: AuthStore, C>(app: &AppContext<'_, S, L, C>) -> (Reply<S::Body>, Option<String>) {
    let (document, detail) = list_present(app).await;
    let reply = Reply::text(200, HeaderPolicy::Public(app.settings.environment), document.to_string());
    (if detail.is_some() { reply.with("Cache-Control", "no-store") } else { reply }, detail)
}

/// Returns the document with the loaded patients. They are queried with the grant of the user who may see all of them.
/// The list is empty if the store has no patients or does not answer, and unreadable ones are left out. The text for
/// the log has the reason.
async fn list_present<S: Store, L: AuthStore, C>(app: &AppContext<'_, S, L, C>) -> (Value, Option<String>) {
    let mut document: Value = read_own(&sandbox_registrations(&app.settings.issuer));
    let all = |document: &Value, name: &str| document.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let (users, described) = (all(&document, "users"), all(&document, "patients"));
    let sees_all = users.iter().find(|user| user.get("patients").is_some_and(Value::is_string));
    let user = sees_all.and_then(|user| user.get("username")).and_then(Value::as_str).unwrap_or_default();
    let (mut loaded, detail) = match find_loaded(app, user, &described).await {
        Ok(FoundPatients { cards, unread }) => (cards, unread),
        Err(error) => (Vec::new(), Some(error.0)),
    };
    let place = |card: &PatientCard| described.iter().position(|patient| id_of(patient) == Some(&card.id));
    loaded.sort_by_key(|card| place(card).unwrap_or(described.len()));
    let patients: Vec<_> =
        loaded.iter().map(|card| entry(card, place(card).and_then(|at| described.get(at)))).collect();
    let is_loaded = |id: &str| loaded.iter().any(|card| card.id == id);
    let users = users.into_iter().filter_map(|mut user| {
        if let Some(list) = user.get_mut("patients").and_then(Value::as_array_mut) {
            list.retain(|id| id.as_str().is_some_and(is_loaded));
            if list.is_empty() {
                return None;
            }
        }
        Some(user)
    });
    let users: Vec<_> = users.collect();
    if let Some(members) = document.as_object_mut() {
        members.insert("users".to_owned(), users.into());
        members.insert("patients".to_owned(), patients.into());
    }
    (document, detail)
}

/// Returns the loaded patients: those that the file describes, then others up to the limit.
async fn find_loaded<S: Store, L: AuthStore, C>(
    app: &AppContext<'_, S, L, C>,
    user: &str,
    described: &[Value],
) -> Result<FoundPatients, AuthStoreError> {
    let mut ids: Vec<String> = described.iter().filter_map(id_of).map(str::to_owned).collect();
    for id in app.auth_store.access_list(user, SHOWN).await?.patients {
        if ids.len() < SHOWN && !ids.contains(&id) {
            ids.push(id);
        }
    }
    let patients = StorePatients { store: &app.store, base: &app.settings.base };
    patients.find(user, PatientQuery::These(&ids)).await
}

fn id_of(patient: &Value) -> Option<&str> {
    patient.get("id").and_then(Value::as_str)
}

/// Returns the entry of a loaded patient: the description in the file, if it has one, with the name, the birth date,
/// and whether the patient has died.
fn entry(card: &PatientCard, described: Option<&Value>) -> Value {
    let mut entry = described.cloned().unwrap_or_else(|| json!({"id": card.id}));
    if let Some(members) = entry.as_object_mut() {
        members.insert("name".to_owned(), card.name.clone().into());
        members.extend(card.born.clone().map(|born| ("born".to_owned(), born.into())));
        members.insert("deceased".to_owned(), card.is_deceased.into());
    }
    entry
}

#[cfg(test)]
mod tests {
    use super::*;
    use oauth::Client;

    #[test]
    fn a_form_that_says_who_signs_in_gets_name_and_published_password() {
        let filled = |fields: &[(&str, &str)]| {
            let mut form: FormPairs = fields.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
            fill_in(&mut form);
            let one = |name: &str| {
                let values: Vec<_> = form.iter().filter(|(of, _)| of == name).map(|(_, value)| value.clone()).collect();
                values.join(" and ")
            };
            (one("username"), one("password"))
        };
        let (name, password) = filled(&[("csrf", "c"), (SIGN_IN_AS, "amara"), ("username", "x"), ("password", "y")]);
        assert!(name == "amara" && password.len() > 8, "{name} {password}");
        assert_eq!(filled(&[(SIGN_IN_AS, "nobody"), ("username", "x")]), ("x".into(), String::new()));
        assert_eq!(filled(&[("username", "amara"), ("password", "y")]), ("amara".into(), "y".into()));
    }

    #[test]
    fn the_document_names_this_server_and_all_its_users() {
        let text = sandbox_registrations("http://localhost:1/");
        let document: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (&document["issuer"], &document["base"]),
            (&json!("http://localhost:1"), &json!("http://localhost:1/fhir/r4"))
        );
        assert!(!text.contains("{origin}") && !text.contains("{type}"));
        let all = |name: &str| document[name].as_array().unwrap().clone();
        let clients: Vec<Client> = all("clients").into_iter().map(|c| serde_json::from_value(c).unwrap()).collect();
        assert!(clients.iter().all(|client| client.clone().stored().is_ok()));
        let patients: Vec<_> = all("patients").into_iter().map(|patient| patient["id"].clone()).collect();
        assert!(all("users").iter().any(|user| user["patients"] == "all"));
        for user in all("users") {
            let listed = user["patients"].as_array().cloned().unwrap_or_default();
            assert!(listed.iter().all(|patient| patients.contains(patient)), "{user}");
            assert!(user["password"].is_string() && user["fhirUser"].is_string(), "{user}");
        }
    }
}
