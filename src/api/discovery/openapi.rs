//! `/openapi.json`: the API as OpenAPI 3.1 (<https://spec.openapis.org/oas/v3.1.1.html>), written by the command line.
//! The fixed parts are in `openapi/*.json`. Names in braces are filled in from the registry of search parameters and
//! the table of discovery, so that the document agrees with the parser and the authorization server.

use serde_json::{Map, Value, json};

use super::well_known;
use crate::http::routes::{Route, Servers};
use fhir::{Language, ResourceType, compact, read_own};
use oauth::GrantType;
use search::{IndexSet, MAX_COUNT, Param, Query, includes};
use smart::{Level, Scope, is_directory};

const DOCUMENT: &str = include_str!("openapi/document.json");
const TYPE: &str = include_str!("openapi/type.json");

/// Returns the document of a server that offers a set of search parameters. Its addresses are relative to its own
/// address. It is written when the app is built, and served together with the app. `bare` leaves out the authorization
/// server, for a deployment in edge-only mode.
pub fn openapi(index: &IndexSet, bare: bool) -> String {
    let text = document(index);
    if bare { without_tokens(&text) } else { text }
}

fn document(index: &IndexSet) -> String {
    let every = |text: &dyn Fn(ResourceType) -> String| {
        ResourceType::served().iter().map(|resource_type| text(*resource_type)).collect::<Vec<_>>().join(",")
    };
    let tag = |resource_type: ResourceType| {
        let page = resource_type.name().to_ascii_lowercase();
        let holds = resource_type.plain_name(Language::English);
        json!({
            "name": resource_type.name(), "description": format!("Holds {holds}."),
            "externalDocs": {"url": format!("https://hl7.org/fhir/R4/{page}.html")},
        })
        .to_string()
    };
    with_responses(&compact(DOCUMENT))
        .replace("{version}", env!("CARGO_PKG_VERSION"))
        .replace("\"{most}\"", &MAX_COUNT.to_string())
        .replace("\"{usual}\"", &Query::everything(ResourceType::Patient).count.to_string())
        .replace("\"{grant types}\"", &json!(GrantType::ALL).to_string())
        .replace("\"{tags}\"", &format!("[{}]", every(&tag)))
        .replace("\"{observations}\"", &security(ResourceType::Observation))
        .replace("\"{documents}\"", &security(ResourceType::DocumentReference))
        .replace("\"{record}\"", &security(ResourceType::Patient))
        .replace("\"{of users}\"", &scopes(|level| level != Some(Level::System)))
        .replace("\"{of clients}\"", &scopes(|level| level == Some(Level::System)))
        .replace("\"{paths}\":{}", &every(&|resource_type| paths(resource_type, index)))
}

/// Returns the scopes of the levels for which `wanted` is true, each with its meaning, without scopes of version 2.
fn scopes(wanted: fn(Option<Level>) -> bool) -> String {
    let described = well_known::scopes_with(["read"]).filter_map(|name| {
        let scope = Scope::parse(&name).ok()?;
        let level = match &scope {
            Scope::Resource(scope) => Some(scope.level),
            Scope::Other(_) => None,
        };
        wanted(level).then(|| (name, Value::from(format!("{}.", scope.describe(Language::English)))))
    });
    Value::Object(described.collect()).to_string()
}

/// Removes the authorization server from the document, for edge-only mode.
fn without_tokens(text: &str) -> String {
    let mut document: Value = read_own(text);
    let mut retain = |pointer: &str, keep: fn(&str) -> bool| {
        if let Some(members) = document.pointer_mut(pointer).and_then(Value::as_object_mut) {
            members.retain(|name, _| keep(name));
        }
    };
    retain("/paths", |path| {
        Route::find(path).is_none_or(|(found, _)| !matches!(found.servers, Servers::Issuing | Servers::Sharing))
    });
    retain("", |member| member != "x-registration");
    retain("/components/securitySchemes", |scheme| scheme == "token");
    retain("/components/requestBodies", |body| matches!(body, "Operation" | "Parameters"));
    let items = document.pointer_mut("/paths").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut);
    for operation in items.filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
        if let Some(ways) = operation.pointer_mut("/security").and_then(Value::as_array_mut) {
            ways.retain(|way| way.get("smart").is_none());
        }
    }
    document.to_string()
}

/// Returns the paths of a type, as members of an object.
fn paths(resource_type: ResourceType, index: &IndexSet) -> String {
    let (mut in_query, mut in_form) = (Vec::new(), Vec::new());
    for SearchParameter { name, description, schema } in &parameters(resource_type, index) {
        in_query.push(match description {
            Some(text) => {
                format!("{{\"name\":\"{name}\",\"in\":\"query\",\"description\":\"{text}\",\"schema\":{schema}}}")
            }
            None => refer(&component(name)),
        });
        in_form.push(format!("\"{name}\":{schema}"));
    }
    in_query.push(refer(&component("Prefer")));
    let text = with_responses(&compact(TYPE))
        .replace("{type}", resource_type.name())
        .replace("{needs}", &required_parameters(resource_type, index))
        .replace("\"{security}\"", &security(resource_type))
        .replace("\"{parameters}\"", &format!("[{}]", in_query.join(",")))
        .replace("\"{properties}\"", &format!("{{{}}}", in_form.join(",")));
    text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or_default().to_owned()
}

/// Returns the security requirements of a type: a scope at any level, or a token without known scopes.
fn security(resource_type: ResourceType) -> String {
    let levels = [Level::Patient, Level::User, Level::System];
    let ways = levels.map(|level| format!("{{\"smart\":[\"{}/{resource_type}.read\"]}},", level.name()));
    format!("[{}{{\"token\":[]}}]", ways.concat())
}

struct SearchParameter {
    name: &'static str,
    /// The description. `None` if the document already has one. It has no character that JSON would escape.
    description: Option<String>,
    schema: String,
}

/// The parameters that every search has. They are described in the fixed part of the document.
const SHARED: [&str; 9] =
    ["_contained", "_containedType", "_count", "_cursor", "_elements", "_format", "_pretty", "_summary", "_total"];

fn component(name: &str) -> String {
    format!("parameters/{}", name.trim_start_matches('_'))
}

/// Replaces each member `"{responses}": "200=Bundle 400"` by one member for each status, which refers to the response
/// of that name, or to the one that is named by its status.
fn with_responses(text: &str) -> String {
    let mut parts = text.split("\"{responses}\":\"");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for (statuses, rest) in parts.filter_map(|part| part.split_once('"')) {
        let member = |name: &str| {
            let (status, of) = name.split_once('=').unwrap_or((name, name));
            format!("\"{status}\":{}", refer(&format!("responses/{of}")))
        };
        whole += &statuses.split(' ').map(member).collect::<Vec<_>>().join(",");
        whole += rest;
    }
    whole
}

fn refer(component: &str) -> String {
    format!("{{\"$ref\":\"#/components/{component}\"}}")
}

fn parameters(resource_type: ResourceType, index: &IndexSet) -> Vec<SearchParameter> {
    let mut all = Vec::new();
    let mut sortable = Vec::new();
    for param in index.params_of(resource_type) {
        let schema = refer(&format!("schemas/{}", param.kind.name()));
        all.push(SearchParameter { name: param.name, description: Some(description(param, index)), schema });
        if param.is_sortable() {
            sortable.push(param.name);
        }
    }
    let sortable =
        format!("The order of the matches: by {}; in the opposite order with - before it.", sortable.join(", "));
    all.push(SearchParameter {
        name: "_sort",
        description: Some(sortable),
        schema: "{\"type\":\"string\"}".to_owned(),
    });
    let names: String = includes(resource_type, index).map(|name| format!(", `{name}`")).collect();
    let forward = format!(
        "Adds what the matches refer to: one of `*`{names}, perhaps with the type of the target behind it. With \
         `_include:iterate` also what included resources refer to."
    );
    let reverse = "Adds what refers to the matches: a type and a parameter of it, such as `Provenance:target`. With \
        `_revinclude:iterate` also what refers to included resources.";
    for (name, description) in [("_include", forward), ("_revinclude", reverse.to_owned())] {
        let schema = "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}".to_owned();
        all.push(SearchParameter { name, description: Some(description), schema });
    }
    let schema = |name| refer(&format!("{}/schema", component(name)));
    all.extend(SHARED.iter().map(|name| SearchParameter { name, description: None, schema: schema(name) }));
    all
}

/// Returns the description of a parameter: what it is for, then what it compares.
fn description(param: &Param, index: &IndexSet) -> String {
    let mut text = purpose(param);
    let components: Vec<_> = param.kind.components().iter().map(|component| component.name).collect();
    match param.paths {
        _ if !components.is_empty() => {
            text.push_str(&format!(" Its values are written as `{}`.", components.join("$")));
        }
        [] => {}
        [path] => text.push_str(&format!(" Element: `{path}`.")),
        paths => text.push_str(&format!(" Elements: `{}`.", paths.join("`, `"))),
    }
    // A chain accepts the modifiers of the parameter to which it leads.
    let refused =
        param.kind.modifiers().iter().filter(|modifier| param.via.is_none() && !index.takes(param, **modifier));
    let refused: Vec<_> = refused.map(|modifier| format!("`:{}`", modifier.name())).collect();
    if !refused.is_empty() {
        text.push_str(&format!(" It takes no {}.", refused.join(" and no ")));
    }
    if let Some(system) = param.kind.implied_system() {
        text.push_str(&format!(" Its codes are of {system}."));
    }
    let targets = targets(param);
    if targets.len() > MAX_NAMED {
        text.push_str(&format!(" It refers to: {}.", targets.join(", ")));
    }
    text
}

/// The most target types that the purpose of a parameter names.
const MAX_NAMED: usize = 3;

/// Returns the names of the types to which a parameter refers, unless these are all types.
fn targets(param: &Param) -> Vec<&'static str> {
    let targets = param.kind.targets().filter(|targets| targets.len() < ResourceType::served().len());
    targets.into_iter().flatten().map(|resource_type| resource_type.name()).collect()
}

/// Returns what a parameter is for: which records it leaves in the answer.
fn purpose(param: &Param) -> String {
    let words = words(param.name);
    if let Some((reference, to)) = param.via {
        return format!("Only those that refer, in `{reference}`, to a {to} with this {words}.");
    }
    let targets = targets(param);
    let target = if (1..=MAX_NAMED).contains(&targets.len()) { targets.join(" or ") } else { "resource".to_owned() };
    match param.kind.name() {
        "Reference" if param.name == "patient" => "Only those of this patient.".to_owned(),
        "Reference" if param.name == "encounter" => "Only those of this visit or stay.".to_owned(),
        "Reference" if param.name == "subject" => format!("Only those about this {target}."),
        "Reference" if [" on", " of", " from", " by"].iter().any(|end| words.ends_with(end)) => {
            format!("Only those {words} this {target}.")
        }
        "Reference" => format!("Only those that name this {target} as their `{}`.", param.name),
        "Date" => {
            let says_when = ["date", "time", "period", "start", "end", "when", "change"];
            let date = if says_when.iter().any(|word| words.contains(word)) { "" } else { " date" };
            format!("Only those whose {words}{date} is on, before or after a day.")
        }
        "String" => format!("Only those whose {words} has a word that begins with this."),
        "Number" | "Quantity" => format!("Only those whose {words} is this number, or is above or below it."),
        "Boolean" => format!("Only those whose `{}` is true, or false.", param.name),
        "Canonical" | "Uri" => format!("Only those with this address as their `{}`.", param.name),
        "Composite" => {
            let parts: Vec<_> = param.kind.components().iter().map(|component| self::words(component.name)).collect();
            format!("Only those that have this {} together, in one place.", parts.join(" and this "))
        }
        _ => format!("Only those with this {words}."),
    }
}

/// Returns the name of a parameter in words, as they stand after "this".
fn words(name: &str) -> String {
    let last = name.rsplit('.').next().unwrap_or(name);
    match last {
        "authored" | "authored-on" | "authoredon" | "datewritten" => "date of writing".to_owned(),
        "birthdate" => "date of birth".to_owned(),
        "issued" => "date of issue".to_owned(),
        "depends-on" | "dependson" => "depending on".to_owned(),
        "family" | "given" => format!("{last} name"),
        "part-of" | "partof" => "that are part of".to_owned(),
        "_lastUpdated" => "last change".to_owned(),
        "value-concept" => "coded value".to_owned(),
        "value-quantity" => "value".to_owned(),
        _ => match last.strip_prefix("combo-") {
            Some(rest) => format!("{} (its own or that of a component)", words(rest)),
            None => last.trim_start_matches('_').replace('-', " "),
        },
    }
}

/// Returns the parameters of which a search needs at least one.
fn required_parameters(resource_type: ResourceType, index: &IndexSet) -> String {
    if is_directory(resource_type) {
        return "Needs no parameter.".to_owned();
    }
    let enough = index.params_of(resource_type).filter(|param| param.identifying || param.name == "patient");
    let enough = enough.map(|param| param.name).collect::<Vec<_>>().join("`, `");
    format!("Needs one of `{enough}`, to say whose records are wanted. A token for one patient says it by itself.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::call::Method;
    use crate::http::routes::{Audience, FhirHandler, Handler, Route, Servers, SignInPath};
    use crate::{Environment, Settings};
    use search::{Handling, parse};
    use serde_json::Value;
    use std::collections::BTreeSet;

    fn written() -> Value {
        serde_json::from_str(&openapi(IndexSet::of_r4(), false)).unwrap()
    }

    fn operations(document: &Value) -> impl Iterator<Item = (&String, &Value)> {
        let paths = document["paths"].as_object().unwrap().iter();
        paths.flat_map(|(path, item)| item.as_object().unwrap().values().map(move |operation| (path, operation)))
    }

    fn walk<'a>(value: &'a Value, action: &mut dyn FnMut(&'a str, &'a Value)) {
        match value {
            Value::Object(members) => members.iter().for_each(|(name, member)| {
                action(name, member);
                walk(member, action);
            }),
            Value::Array(items) => items.iter().for_each(|item| walk(item, action)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    #[test]
    fn the_document_has_this_version_and_relative_addresses() {
        let document = written();
        assert_eq!(document["openapi"], "3.1.1");
        assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
        assert!(document.get("servers").is_none());
        assert_eq!(document["components"]["schemas"]["Count"]["maximum"], MAX_COUNT);
    }

    #[test]
    fn operations_and_the_routes_for_apps_are_the_same() {
        let document = written();
        for (path, item) in document["paths"].as_object().unwrap() {
            let allow = Route::find(path).unwrap_or_else(|| panic!("{path} is no route")).0.allow;
            for method in item.as_object().unwrap().keys().filter(|name| *name != "parameters") {
                assert!(Method::parse(&method.to_uppercase()).is_in(allow), "{method} {path}");
            }
        }
        // The pages of the sign-in lead from one to the next. Apps do not call them.
        let apps =
            [Handler::SignIn(SignInPath::Authorize), Handler::SignIn(SignInPath::Manage), Handler::PrepareLaunch];
        let is_for_apps =
            |row: &&Route| matches!(row.servers, Servers::Issuing | Servers::Sharing) && row.allow.contains("OPTIONS");
        let is_for_systems = |row: &&Route| {
            let of_exports = matches!(row.handler, Handler::Fhir(FhirHandler::Export(_)));
            of_exports || matches!(row.handler, Handler::Ingest | Handler::IngestStatus)
        };
        for row in Route::all().filter(|row| is_for_apps(row) || is_for_systems(row) || apps.contains(&row.handler)) {
            assert!(document["paths"][row.path].is_object(), "{} is not documented", row.path);
        }
    }

    #[test]
    fn g10_11_09_the_document_has_every_member_of_a_registration() {
        let document = written();
        let schema = document["x-registration"].clone();
        let listed: BTreeSet<_> = schema["properties"].as_object().unwrap().keys().cloned().collect();
        let whole = json!({
            "client_id": "a", "name": "N", "kind": "backend", "secret": "s", "redirect_uris": ["r"],
            "post_logout_redirect_uris": ["p"], "launch_uri": "l", "scopes": "openid", "jwks": {}, "jwks_uri": "j",
            "grants": ["client_credentials"], "origins": ["o"], "token_lifetime": 300, "groups": ["g"],
            "purpose": "payer-to-payer", "introspect": true,
        });
        assert_eq!(listed, whole.as_object().unwrap().keys().cloned().collect());
        let client: oauth::Client = serde_json::from_value(whole.clone()).unwrap();
        let kept = serde_json::to_value(&client).unwrap();
        assert_eq!(kept, whole, "and no other member is an app's to say");
    }

    #[test]
    fn each_flow_lists_and_describes_the_scopes_that_it_grants() {
        let document = written();
        let flows = &document["components"]["securitySchemes"]["smart"]["flows"];
        for flow in ["authorizationCode", "clientCredentials"] {
            assert_eq!(flows[flow]["tokenUrl"], "/oauth/token");
        }
        assert_eq!(flows["authorizationCode"]["authorizationUrl"], "/oauth/authorize");
        let scopes = |flow: &str| flows[flow]["scopes"].as_object().unwrap().clone();
        let (users, clients) = (scopes("authorizationCode"), scopes("clientCredentials"));
        assert_eq!(clients.len(), ResourceType::served().len() + 1);
        assert!(clients.keys().all(|scope| scope.starts_with("system/")));
        assert!(!users.keys().any(|scope| scope.starts_with("system/")));
        let all: BTreeSet<_> = users.keys().chain(clients.keys()).cloned().collect();
        let offered = well_known::scopes().into_iter().filter(|scope| !scope.contains(".rs"));
        assert_eq!(all, offered.collect());
        assert_eq!(users["patient/Observation.read"], "Read Observations.");
        assert_eq!(clients["system/Patient.read"], "Read Patient Details, of all patients.");
    }

    #[test]
    fn the_token_flows_are_those_of_discovery() {
        let document = written();
        let settings = Settings::new("https://records.example/", Environment::Production, b"");
        let text = well_known::document_for(&settings, Audience::OAuth);
        let offered: Value = serde_json::from_str(&text).unwrap();
        let form = &document["paths"]["/oauth/token"]["post"]["requestBody"]["content"];
        let form = &form["application/x-www-form-urlencoded"]["schema"]["properties"];
        assert_eq!(form["grant_type"]["enum"], offered["grant_types_supported"]);
        for (name, address) in offered.as_object().unwrap().iter().filter(|(name, _)| name.ends_with("_endpoint")) {
            let path = address.as_str().unwrap().trim_start_matches("https://records.example");
            assert!(document["paths"][path].is_object(), "{name}");
        }
    }

    #[test]
    fn the_document_of_edge_only_mode_has_no_authorization_server() {
        let document: Value = serde_json::from_str(&openapi(IndexSet::of_r4(), true)).unwrap();
        let paths = document["paths"].as_object().unwrap();
        let of_others = ["/.well-known/service-base-urls.json", "/.well-known/oauth-protected-resource/mcp"];
        let is_left = |path: &String| !of_others.contains(&path.as_str());
        let mut others = paths.keys().filter(|path| is_left(path));
        assert!(others.all(|path| !path.starts_with("/oauth/") && !path.starts_with("/.well-known/")));
        assert!(!document["paths"].to_string().contains("smart\":["));
        let schemes = document["components"]["securitySchemes"].as_object().unwrap();
        assert_eq!(schemes.keys().collect::<Vec<_>>(), ["token"]);
        let search = &document["paths"]["/fhir/r4/Condition"]["get"]["security"];
        assert_eq!(*search, json!([{"token": []}]));
    }

    #[test]
    fn every_reference_resolves_and_every_component_is_used() {
        let document = written();
        let mut led = BTreeSet::new();
        walk(&document, &mut |name, target| {
            if name == "$ref" {
                let target = target.as_str().unwrap();
                assert!(document.pointer(target.trim_start_matches('#')).is_some(), "{target}");
                led.insert(target.trim_end_matches("/schema").to_owned());
            }
        });
        for (section, components) in document["components"].as_object().unwrap() {
            for name in components.as_object().unwrap().keys().filter(|_| section != "securitySchemes") {
                assert!(led.contains(&format!("#/components/{section}/{name}")), "{section}/{name}");
            }
        }
    }

    #[test]
    fn every_name_in_braces_is_replaced() {
        let document = written();
        walk(&document, &mut |name, value| {
            let opens = |rest: &str| {
                rest.starts_with(|c: char| c.is_ascii_lowercase())
                    && !["id}", "vid}", "number}"].iter().any(|name| rest.starts_with(name))
            };
            let filled = |text: &str| !text.split('{').skip(1).any(opens);
            assert!(filled(name), "{name}");
            assert!(value.as_str().is_none_or(filled), "{value}");
        });
    }

    #[test]
    fn every_operation_has_a_unique_id_parameters_and_answers() {
        let document = written();
        let schemes = &document["components"]["securitySchemes"];
        let mut names = BTreeSet::new();
        for (path, operation) in operations(&document) {
            assert!(names.insert(operation["operationId"].as_str().unwrap()), "{path}");
            assert!(["200", "202"].iter().any(|good| operation["responses"][good].is_object()), "{path}");
            for requirement in operation["security"].as_array().unwrap() {
                for (scheme, scopes) in requirement.as_object().unwrap() {
                    assert!(schemes[scheme].is_object(), "{path}: {scheme}");
                    for scope in scopes.as_array().unwrap().iter().map(|scope| scope.as_str().unwrap()) {
                        let mut flows = schemes[scheme]["flows"].as_object().unwrap().values();
                        assert!(flows.any(|flow| flow["scopes"][scope].is_string()), "{path}: {scope}");
                    }
                }
            }
            let id = json!({"$ref": "#/components/parameters/id"});
            let has_id = operation["parameters"].as_array().is_some_and(|all| all.contains(&id));
            assert_eq!(has_id, path.contains("{id}"), "{path}");
        }
        assert_eq!(names.len(), operations(&document).count());
    }

    #[test]
    fn each_answer_that_the_sample_does_not_give_has_an_example() {
        let document = written();
        for (path, operation) in operations(&document) {
            for (status, answer) in operation["responses"].as_object().unwrap() {
                let contents = answer["content"].as_object().into_iter().flatten();
                for (_, content) in contents.filter(|_| status == "200") {
                    let of_records = content["schema"]["$ref"] == "#/components/schemas/Resource";
                    assert!(of_records || !content["example"].is_null(), "{path}: {status}");
                }
            }
        }
    }

    #[test]
    fn a_search_documents_exactly_the_parameters_of_the_parser() {
        let document = written();
        for resource_type in ResourceType::served() {
            let refused = parse(*resource_type, &[("?".to_owned(), String::new())], Handling::Strict, "").unwrap_err();
            let hint = refused[0].diagnostics.clone().unwrap();
            let accepted: BTreeSet<_> = hint.split_once(": ").unwrap().1.split(", ").collect();
            let search = &document["paths"][format!("/fhir/r4/{resource_type}")]["get"];
            let listed = search["parameters"].as_array().unwrap().iter().map(|parameter| {
                let shared = parameter["$ref"].as_str().and_then(|to| document.pointer(to.trim_start_matches('#')));
                shared.unwrap_or(parameter)
            });
            let listed: BTreeSet<_> =
                listed.filter(|p| p["in"] == "query").map(|p| p["name"].as_str().unwrap()).collect();
            // A type without includes accepts the parameter but refuses every value.
            let missing: Vec<_> = accepted.difference(&listed).filter(|name| !name.ends_with("include")).collect();
            assert!(missing.is_empty() && listed.is_subset(&accepted), "{resource_type}: {missing:?}, {listed:?}");
            let form =
                &document["paths"][format!("/fhir/r4/{resource_type}/_search")]["post"]["requestBody"]["content"];
            let form = form["application/x-www-form-urlencoded"]["schema"]["properties"].as_object().unwrap();
            assert_eq!(form.keys().map(String::as_str).collect::<BTreeSet<_>>(), listed, "{resource_type}");
        }
    }

    #[test]
    fn a_parameter_says_what_it_is_for_and_what_it_compares() {
        let document = written();
        let of = |resource_type: &str, name: &str| {
            let all = document["paths"][format!("/fhir/r4/{resource_type}")]["get"]["parameters"].as_array().unwrap();
            let parameter = all.iter().find(|parameter| parameter["name"] == name).unwrap();
            (parameter["schema"]["$ref"].as_str().unwrap_or_default(), parameter["description"].as_str().unwrap())
        };
        let code = "Only those with this status. Element: `status`. Its codes are of \
            http://hl7.org/fhir/observation-status.";
        assert_eq!(of("Observation", "status"), ("#/components/schemas/Code", code));
        let chain = "Only those that refer, in `practitioner`, to a Practitioner with this identifier. \
            Element: `identifier`.";
        assert_eq!(of("PractitionerRole", "practitioner.identifier"), ("#/components/schemas/Identifier", chain));
        for (resource_type, name, purpose) in [
            ("Observation", "patient", "Only those of this patient."),
            ("Observation", "based-on", "Only those based on this resource."),
            ("Observation", "device", "Only those that name this Device or DeviceMetric as their `device`."),
            ("Observation", "date", "Only those whose date is on, before or after a day."),
            ("Encounter", "part-of", "Only those that are part of this Encounter."),
            ("Patient", "family", "Only those whose family name has a word that begins with this."),
            ("RiskAssessment", "probability", "Only those whose probability is this number, or is above or below it."),
            (
                "Observation",
                "combo-code-value-quantity",
                "Only those that have this code (its own or that of a component) and this value (its own or that of \
                 a component) together, in one place.",
            ),
        ] {
            assert!(of(resource_type, name).1.starts_with(purpose), "{}", of(resource_type, name).1);
        }
        assert_eq!(
            of("Patient", "_sort").1,
            "The order of the matches: by _id, _lastUpdated, birthdate, death-date, family, gender, given, \
             identifier, name, active, address, address-city, address-country, address-postalcode, address-state, \
             address-use, deceased, email, general-practitioner, language, link, organization, phone, telecom, \
             _profile, _security, _source, _tag; in the opposite order with - before it."
        );
        let needs =
            |resource_type: &str| document["paths"][format!("/fhir/r4/{resource_type}")]["get"]["description"].as_str();
        assert!(needs("RelatedPerson").unwrap().starts_with("Needs one of `_id`, `patient`, `name`, to say "));
        assert_eq!(needs("Practitioner"), Some("Needs no parameter."));
    }
}
