//! `/sandbox.json`: who may play in the playground (interface.md, "Addresses"). The command line registers the same file.

use super::reply::{Class, Reply};
use super::settings::Settings;

/// The document, for a server of that origin.
#[must_use]
pub fn playground(origin: &str) -> String {
    include_str!("sandbox.json").replace("{origin}", origin.trim_end_matches('/'))
}

/// `/sandbox.json`, with this server's address wherever the file says `{origin}`.
pub fn sandbox<B>(settings: &Settings) -> Reply<B> {
    Reply::text(200, Class::Public(settings.environment), playground(&settings.issuer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Environment;
    use crate::fhir::Piece;
    use crate::oauth::Client;
    use serde_json::Value;

    #[test]
    fn it_names_this_server_and_everyone_who_may_play() {
        let settings = Settings::new("http://localhost:1", Environment::Sandbox, b"");
        let reply: Reply<String> = sandbox(&settings);
        let Some(Piece::Text(text)) = reply.body.first() else { panic!("a document is one text") };
        let document: Value = serde_json::from_str(text).unwrap();
        assert_eq!((&document["issuer"], &document["base"]), (&settings.issuer.into(), &settings.base.into()));
        assert!(!text.contains("{origin}"));
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
