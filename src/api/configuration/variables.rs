//! The variables of the Worker. A variable only needs a row of the table below. `docs/operations.md` lists the same
//! names and defaults.

use super::service_base_urls::{SANDBOX_ORGANIZATIONS, ServiceBaseUrls};
use super::settings::Environment;
use export::kept_for;
use fhir::Micros;
use ingest::DOCUMENTS;
use oauth::{Agents, TrustedIssuer};
use search::{Guides, IndexSet};
use smart::PublicScopes;
use store::FreshnessWindow;

/// The kinds of stores that can hold the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// Charts and rows in D1.
    D1,
    /// Shelves in KV.
    Kv,
}

/// Defines the type of the variables from a table: the meaning of each, its name, field and type, its default, and the
/// function that parses its text. The function may use the fields above.
macro_rules! variables {
    ($($(#[$about:meta])+ $name:literal $field:ident: $type:ty = $default:expr, $read:expr;)+) => {
        /// The values of the variables of a deployment.
        #[derive(Debug)]
        pub struct Variables {
            $($(#[$about])+ pub $field: $type,)+
        }

        impl Variables {
            /// The name of each variable, and the default text if it is missing or empty.
            pub const DEFAULTS: &[(&str, &str)] = &[$(($name, $default)),+];

            /// Parses the variables. `given` returns their texts by name.
            ///
            /// # Errors
            /// The name of a variable with an invalid value, and the accepted values.
            pub fn read(given: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
                $(
                    let text = given($name).filter(|text| !text.is_empty()).unwrap_or_else(|| $default.to_owned());
                    let read: Result<$type, String> = $read(&text);
                    let $field = read.map_err(|reason| format!("{}: {reason}", $name))?;
                )+
                Ok(Self { $($field),+ })
            }
        }
    };
}

variables! {
    /// The origin of the server, without a trailing slash.
    "ORIGIN" origin: String = "",
        |text: &str| if text.is_empty() { Err("it is not configured".to_owned()) } else { Ok(text.to_owned()) };
    /// The kind of the deployment.
    "ENVIRONMENT" environment: Environment = "",
        |text| either(text, ("sandbox", Environment::Sandbox), ("production", Environment::Production));
    /// The kind of store that holds the records.
    "STORE" storage: Storage = "d1", |text| either(text, ("d1", Storage::D1), ("kv", Storage::Kv));
    /// The names of guides that are declared, and whose search parameters are offered.
    "GUIDES" named: String = "", |text: &str| Guides::declared(text, "", "").map(|_| text.to_owned());
    /// The set of search parameters that is offered, preceded by its text.
    "INDEX" index: (String, &'static IndexSet) = "us-core",
        |text: &str| IndexSet::parse(&format!("{text}\n{named}")).map(|set| (text.to_owned(), set));
    /// The version of US Core that is declared, with the other guides.
    "US_CORE" guides: Guides = "", |text| Guides::declared(&named, text, &index.0);
    /// The time for which a chart is used without checking its version.
    "FRESH_SECONDS" fresh: FreshnessWindow = "1", FreshnessWindow::parse;
    /// The address that completes relative addresses of attachments in loads.
    "ATTACHMENT_BASE_URL" attachments: String = DOCUMENTS, |text: &str| Ok(text.to_owned());
    /// The issuers whose tokens are accepted, in edge-only mode.
    "TRUSTED_ISSUERS" trusted: Vec<TrustedIssuer> = "[]", TrustedIssuer::parse;
    /// The identity providers as JSON, whose secrets `oauth::IdentityProvider::parse` looks up.
    "IDENTITY_PROVIDERS" identity_providers: String = "[]", |text: &str| Ok(text.to_owned());
    /// The time for which an export is kept after its end.
    "EXPORT_HOURS" export_kept: Micros = "24", kept_for;
    /// The days for which a refresh token is valid.
    "REFRESH_DAYS" refresh_days: i64 = "90", refresh_days;
    /// The organizations whose service base URLs are published. A sandbox has two by default.
    "SERVICE_BASE_URLS" service_base_urls: Option<ServiceBaseUrls> = "", |text: &str| match (text, environment) {
        ("", Environment::Sandbox) => ServiceBaseUrls::parse(SANDBOX_ORGANIZATIONS).map(Some),
        ("", Environment::Production) => Ok(None),
        (text, _) => ServiceBaseUrls::parse(text).map(Some),
    };
    /// The scopes of requests without a token.
    "PUBLIC" public: Option<PublicScopes> = "",
        |text: &str| if text.is_empty() { Ok(None) } else { PublicScopes::parse(text).map(Some) };
    /// True if exports can also be begun as in Bulk Data Access 4.0.0-ballot.
    "EXPORT_V4" export_v4: bool = "off", |text| either(text, ("on", true), ("off", false));
    /// The clients that may read through `/mcp`.
    "AGENTS" agents: Option<Agents> = "off", Agents::parse;
    /// True if assistants may register themselves (RFC 7591), where `AGENTS` admits them.
    "AGENT_REGISTRATION" agent_registration: bool = "off", |text| either(text, ("on", true), ("off", false));
    /// True if users can share records by links.
    "LINKS" links: bool = "off", |text| either(text, ("on", true), ("off", false));
}

/// Parses a number of days. Three calendar months have at most 92 days.
fn refresh_days(text: &str) -> Result<i64, String> {
    let days = text.parse().ok().filter(|days| (1..=93).contains(days));
    days.ok_or_else(|| "it is no number of days from 1 to 93".to_owned())
}

/// Returns one of two values, by its name.
fn either<T>(text: &str, one: (&str, T), other: (&str, T)) -> Result<T, String> {
    let (first, second) = (one.0, other.0);
    let found = [one, other].into_iter().find(|(name, _)| *name == text);
    found.map(|(_, value)| value).ok_or_else(|| format!("{text:?} is neither {first} nor {second}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEEDED: [(&str, &str); 2] = [("ORIGIN", "https://chart.test"), ("ENVIRONMENT", "production")];

    fn read(others: &[(&str, &str)]) -> Result<Variables, String> {
        let all: Vec<_> = others.iter().chain(&NEEDED).collect();
        Variables::read(|name| all.iter().find(|(other, _)| *other == name).map(|(_, text)| (*text).to_owned()))
    }

    #[test]
    fn an_absent_or_empty_variable_has_its_default() {
        let names = Variables::DEFAULTS.iter().map(|(name, _)| *name);
        let is_needed = |name: &str| NEEDED.iter().any(|(needed, _)| *needed == name);
        let empty: Vec<_> = names.filter(|name| !is_needed(name)).map(|name| (name, "")).collect();
        for others in [&[][..], &empty] {
            let all = read(others).unwrap();
            assert_eq!((all.origin.as_str(), all.environment), ("https://chart.test", Environment::Production));
            assert_eq!((all.storage, all.links, all.refresh_days), (Storage::D1, false, 90));
            assert_eq!((all.index.1, all.guides.us_core_version()), (IndexSet::us_core(), "6.1.0"));
            assert_eq!((all.fresh, all.export_kept), (FreshnessWindow::default(), 24 * 3_600 * 1_000_000));
            assert_eq!((all.attachments.as_str(), all.identity_providers.as_str()), (DOCUMENTS, "[]"));
            assert!(all.trusted.is_empty() && all.service_base_urls.is_none());
        }
        assert!(read(&[("ENVIRONMENT", "sandbox")]).unwrap().service_base_urls.is_some());
    }

    #[test]
    fn a_wrong_value_is_refused_with_the_name_and_what_is_accepted() {
        for (name, text, expected) in [
            ("ORIGIN", "", "it is not configured"),
            ("ENVIRONMENT", "", "\"\" is neither sandbox nor production"),
            ("ENVIRONMENT", "test", "\"test\" is neither sandbox nor production"),
            ("STORE", "r2", "\"r2\" is neither d1 nor kv"),
            ("INDEX", "r5", "\"r5\" is neither us-core nor r4, nor a type, a tab, and the names of parameters"),
            ("US_CORE", "5.0.0", "\"us-core-5.0.0\" is none of "),
            ("GUIDES", "us-core-9.0.0 nope-1", "\"nope-1\" is none of us-core-6.1.0, "),
            ("FRESH_SECONDS", "6", "\"6\" is not from 0 to 5"),
            ("TRUSTED_ISSUERS", "x", "expected value"),
            ("EXPORT_HOURS", "169", "it is no number of hours from 1 to 168"),
            ("SERVICE_BASE_URLS", "[]", "it has no organization"),
            ("PUBLIC", "system/Patient.rs", "system/Patient.rs: only system/Type.rs of a type without patients"),
            ("PUBLIC", "user/Endpoint.rs", "user/Endpoint.rs: only system/Type.rs of a type without patients"),
            ("PUBLIC", " ", "it has no scope"),
            ("LINKS", "yes", "\"yes\" is neither on nor off"),
            ("AGENTS", "agent.example on", "\"on\" is none of off, registered, any, and no public host"),
        ] {
            let error = read(&[(name, text)]).unwrap_err();
            assert!(error.starts_with(&format!("{name}: {expected}")), "{error}");
        }
    }

    #[test]
    fn refresh_tokens_live_for_one_to_93_days() {
        let days = |text| read(&[("REFRESH_DAYS", text)]).map(|all| all.refresh_days);
        assert_eq!(["1", "92", "93"].map(days), [Ok(1), Ok(92), Ok(93)]);
        for bad in ["0", "94", "-1", "90.0", "90 ", "x"] {
            assert_eq!(days(bad), Err("REFRESH_DAYS: it is no number of days from 1 to 93".to_owned()), "{bad}");
        }
    }

    #[test]
    fn the_set_of_parameters_may_name_the_version_of_us_core() {
        let version = |others: &[(&str, &str)]| read(others).map(|all| all.guides.us_core_version());
        assert_eq!(version(&[("INDEX", "us-core-7.0.0")]), Ok("7.0.0"));
        assert_eq!(version(&[("INDEX", "r4"), ("US_CORE", "8.0.0")]), Ok("8.0.0"));
        assert_eq!(version(&[("GUIDES", "us-core-9.0.0 carin-bb-2.2.0")]), Ok("9.0.0"));
        let claims = IndexSet::parse("carin-bb-2.2.0");
        assert_eq!(read(&[("GUIDES", "us-core-9.0.0 carin-bb-2.1.0")]).map(|all| all.index.1), claims);
        assert!(version(&[("INDEX", "us-core-7.0.0"), ("US_CORE", "8.0.0")]).is_err());
    }
}
