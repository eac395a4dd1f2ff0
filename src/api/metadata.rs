//! The CapabilityStatement (<https://hl7.org/fhir/R4/capabilitystatement.html>). It is generated from the registry of
//! search parameters, so that it lists exactly what the parser accepts.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::discovery::Endpoints;
use super::form::FormPairs;
use super::negotiate::is_known;
use super::problem::Problem;
use super::reply::{FHIR_JSON, HeaderPolicy, Reply};
use super::settings::Settings;
use fhir::{Issue, IssueCode, ResourceType, indent, quoted, read_own};
use oauth::hashed;
use search::{Combination, IndexSet, UsCore, combinations, compartment_types, includes, reverse_includes};

/// The date of the last change to the statement.
const DATE: &str = "2026-11-28";

/// Answers `/fhir/r4/metadata`. `exports` is true if the server exports records.
///
/// # Errors
/// If the parameter `mode` has a value other than `full`.
pub fn capability_statement<B>(
    settings: &Settings,
    endpoints: &Endpoints,
    exports: bool,
    parameters: &FormPairs,
    if_none_match: Option<&str>,
) -> Result<Reply<B>, Problem> {
    if let Some((_, mode)) = parameters.iter().find(|(name, mode)| name == "mode" && mode != "full") {
        let issue = Issue::error(IssueCode::NotSupported, format!("There is no mode {}.", quoted(mode))).about("mode");
        return Err(Problem::Bad(vec![issue.hint("full")]));
    }
    let text = statement(settings, endpoints, exports);
    let tag = format!("W/\"{}\"", hashed(&text));
    let policy = HeaderPolicy::Public(settings.environment);
    let reply = if is_known(if_none_match, &tag) {
        Reply::empty(304, policy)
    } else {
        let pretty = parameters.iter().any(|(name, value)| name == "_pretty" && value == "true");
        Reply::text(200, policy, if pretty { indent(&text) } else { text })
    };
    Ok(reply.with("ETag", tag).with("Content-Type", FHIR_JSON))
}

/// Returns the statement of a sandbox with this FHIR base that is indexed by a set, without addresses of an
/// authorization server. The browser module uses it.
#[must_use]
pub fn capabilities(base: &str, index: &'static IndexSet) -> String {
    let origin = base.strip_suffix(super::settings::FHIR).unwrap_or(base);
    let settings = Settings::new(origin, super::Environment::Sandbox, &[]).offering(index);
    statement(&settings, &Endpoints::default(), false)
}

/// The members of the statement. Names in braces are replaced.
const STATEMENT: &str = r#"{"resourceType":"CapabilityStatement","id":"edgechart","url":"{url}","version":"{version}",
"name":"Edgechart","title":"edgechart","status":"active","experimental":"{experimental}","date":"{date}",
"publisher":"edgechart",
"description":"Patients' records for reading, at the edge: FHIR R4, US Core {us_core}, SMART on FHIR. Of what US Core asks of a server, create and $docref are not offered.",
"kind":"instance",
"instantiates":["http://hl7.org/fhir/us/core/CapabilityStatement/us-core-server|{us_core}"{instantiates}],
"software":{"name":"edgechart","version":"{version}"},"implementation":{"description":"edgechart","url":"{base}"},
"fhirVersion":"4.0.1","format":["json","application/fhir+json"],
"implementationGuide":["http://hl7.org/fhir/us/core/ImplementationGuide/hl7.fhir.us.core|{us_core}"],
"rest":[{"mode":"server",
"documentation":"Every search of a patient's records needs patient or _id, but where the token is a patient's. In a record, references are followed by chains and by _has.",
"security":{"cors":true,"service":[{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/restful-security-service",
"code":"SMART-on-FHIR","display":"SMART-on-FHIR"}],"text":"OAuth 2.0 with SMART on FHIR scopes"}],
"extension":[{"url":"http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris","extension":"{uris}"}]},
"resource":"{resources}","interaction":[{"code":"search-system"}],"compartment":"{compartments}"{operations}}]}"#;

/// The operations, each with its type and its definition.
const OPERATIONS: &[(ResourceType, &str, &str)] = &[
    (ResourceType::Observation, "lastn", "http://hl7.org/fhir/OperationDefinition/Observation-lastn"),
    (ResourceType::Patient, "everything", "http://hl7.org/fhir/OperationDefinition/Patient-everything"),
];

/// The operations of a server that exports records, each with its definition: that of the system, and those of types.
const EXPORTS: [(Option<ResourceType>, &str, &str); 4] = [
    (None, "export", "http://hl7.org/fhir/uv/bulkdata/OperationDefinition/export"),
    (Some(ResourceType::Patient), "export", "http://hl7.org/fhir/uv/bulkdata/OperationDefinition/patient-export"),
    (Some(ResourceType::Group), "export", "http://hl7.org/fhir/uv/bulkdata/OperationDefinition/group-export"),
    (
        Some(ResourceType::Group),
        "davinci-data-export",
        "http://hl7.org/fhir/us/davinci-atr/OperationDefinition/davinci-data-export",
    ),
];

/// The CapabilityStatement of Bulk Data Access, which such a server instantiates.
const BULK_DATA: &str = "http://hl7.org/fhir/uv/bulkdata/CapabilityStatement/bulk-data";

/// The members that are the same for every type.
const RESOURCE: &str = r#"{"type":"{type}","interaction":[{"code":"read"},{"code":"vread"},{"code":"search-type"}],
"versioning":"versioned","readHistory":false,"updateCreate":false,"referencePolicy":["literal","local"]}"#;

/// Returns the types with the parameters of a set, as a JSON array. They make up most of the statement and are the same
/// in every answer of a server, so the last ones are cached.
fn resources(set: &'static IndexSet, us_core: &'static UsCore, exports: bool) -> Arc<str> {
    type Of = (&'static IndexSet, &'static str, bool);
    static LAST: Mutex<Option<(Of, Arc<str>)>> = Mutex::new(None);
    let of = (set, us_core.version(), exports);
    let kept = LAST.lock().ok().and_then(|last| last.clone());
    if let Some((_, text)) = kept.filter(|(kept, _)| *kept == of) {
        return text;
    }
    let all: Value = ResourceType::served().iter().map(|on| resource(*on, set, us_core, exports)).collect();
    let text: Arc<str> = all.to_string().into();
    if let Ok(mut last) = LAST.lock() {
        *last = Some((of, Arc::clone(&text)));
    }
    text
}

fn statement(settings: &Settings, endpoints: &Endpoints, exports: bool) -> String {
    let compartments = compartment_types().map(|of| {
        let (first, rest) = of.name().split_at_checked(1).unwrap_or_default();
        Value::from(format!("http://hl7.org/fhir/CompartmentDefinition/{}{rest}", first.to_ascii_lowercase()))
    });
    let experimental = settings.environment == super::Environment::Sandbox;
    let mut text = STATEMENT
        .replace('\n', "")
        .replace("{version}", env!("CARGO_PKG_VERSION"))
        .replace("{date}", DATE)
        .replace("{us_core}", settings.us_core.version());
    for (gap, value) in [
        ("\"{url}\"", Value::from(format!("{}/metadata", settings.base))),
        ("\"{base}\"", Value::from(settings.base.as_str())),
        ("\"{experimental}\"", Value::from(experimental)),
        ("\"{uris}\"", uris(endpoints)),
        ("\"{compartments}\"", compartments.collect()),
    ] {
        text = text.replace(gap, &value.to_string());
    }
    let (mut instantiates, mut operations) = (String::new(), String::new());
    if exports {
        instantiates = format!(",\"{BULK_DATA}\"");
        operations = format!(",\"operation\":{}", Value::from(exports_of(None)));
    }
    let text = text.replace("{instantiates}", &instantiates).replace("{operations}", &operations);
    text.replace("\"{resources}\"", &resources(settings.index, settings.us_core, exports))
}

/// Returns the operations that export records of the system or of a type.
fn exports_of(resource_type: Option<ResourceType>) -> Vec<Value> {
    let all = EXPORTS.iter().filter(|(of, ..)| *of == resource_type);
    all.map(|(_, name, definition)| json!({"name": name, "definition": definition})).collect()
}

fn uris(endpoints: &Endpoints) -> Value {
    let Endpoints { authorize, token, introspect, revoke, manage } = endpoints;
    let named = [
        ("authorize", authorize),
        ("token", token),
        ("introspect", introspect),
        ("revoke", revoke),
        ("manage", manage),
    ];
    named.into_iter().filter_map(|(name, uri)| Some(json!({"url": name, "valueUri": uri.as_ref()?}))).collect()
}

fn resource(resource_type: ResourceType, index: &'static IndexSet, us_core: &'static UsCore, exports: bool) -> Value {
    let params = index.params_of(resource_type).map(|param| {
        let mut entry = json!({"name": param.name, "type": param.kind.fhir_type()});
        if let (Some(definition), Some(members)) = (param.definition(us_core), entry.as_object_mut()) {
            members.insert("definition".to_owned(), definition.url().into());
        }
        entry
    });
    let mut resource: Value = read_own(&RESOURCE.replace("{type}", resource_type.name()));
    let Some(members) = resource.as_object_mut() else { return resource };
    let mut add = |name: &str, values: Vec<Value>| {
        if !values.is_empty() {
            members.insert(name.to_owned(), values.into());
        }
    };
    add("searchParam", params.collect());
    add("supportedProfile", profiles(resource_type, us_core));
    let forward: Vec<Value> = includes(resource_type, index).map(Value::from).collect();
    let all = (!forward.is_empty()).then(|| Value::from("*"));
    add("searchInclude", all.into_iter().chain(forward).collect());
    add("searchRevInclude", reverse_includes(resource_type, index).map(Value::from).collect());
    let operations = OPERATIONS.iter().filter(|(base, ..)| *base == resource_type);
    let operations = operations.map(|(_, name, definition)| json!({"name": name, "definition": definition}));
    let of_exports = if exports { exports_of(Some(resource_type)) } else { Vec::new() };
    add("operation", operations.chain(of_exports).collect());
    add("extension", combinations(us_core, resource_type).iter().map(combination).collect());
    resource
}

fn combination(combination: &Combination) -> Value {
    const BASE: &str = "http://hl7.org/fhir/StructureDefinition/capabilitystatement";
    let level = json!({"url": format!("{BASE}-expectation"), "valueCode": combination.level.word()});
    let names = combination.names.iter().map(|name| json!({"url": "required", "valueString": name}));
    json!({
        "extension": std::iter::once(level).chain(names).collect::<Vec<_>>(),
        "url": format!("{BASE}-search-parameter-combination"),
    })
}

fn profiles(resource_type: ResourceType, us_core: &UsCore) -> Vec<Value> {
    let of_us_core =
        |name: &str| format!("http://hl7.org/fhir/us/core/StructureDefinition/{name}|{}", us_core.version());
    let url = |name: &str| if name.contains("://") { name.to_owned() } else { of_us_core(name) };
    us_core.profiles(resource_type).into_iter().map(|name| url(name).into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Environment;

    fn of(us_core: &'static UsCore, index: &'static IndexSet) -> Value {
        let settings = Settings::new("https://here.test", Environment::Sandbox, b"x");
        let settings = settings.offering(index).declaring(us_core);
        serde_json::from_str(&statement(&settings, &Endpoints::default(), false)).unwrap()
    }

    fn resources(statement: &Value) -> &Vec<Value> {
        statement["rest"][0]["resource"].as_array().unwrap()
    }

    fn texts(list: &Value) -> Vec<&str> {
        list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }

    #[test]
    fn each_version_of_us_core_has_a_statement_of_its_own() {
        const CORE: &str = "http://hl7.org/fhir/us/core";
        // The cached parts for one version or set are not used for another.
        let sets = [IndexSet::us_core(), IndexSet::all()].into_iter().flat_map(|set| UsCore::all().map(|of| (set, of)));
        for ((set, us_core), (combinations, profiles)) in sets.zip([(67, 50), (71, 53), (69, 55)].into_iter().cycle()) {
            let (version, statement) = (us_core.version(), of(us_core, set));
            let instantiates = format!("{CORE}/CapabilityStatement/us-core-server|{version}");
            assert_eq!(texts(&statement["instantiates"]), [instantiates]);
            let guide = format!("{CORE}/ImplementationGuide/hl7.fhir.us.core|{version}");
            assert_eq!(texts(&statement["implementationGuide"]), [guide]);
            assert!(statement["description"].as_str().unwrap().contains(version));
            let declared: Vec<_> = resources(&statement).iter().flat_map(|on| texts(&on["supportedProfile"])).collect();
            let (prefix, suffix) = (format!("{CORE}/StructureDefinition/"), format!("|{version}"));
            let others = declared.iter().filter(|url| !url.starts_with(&prefix) || !url.ends_with(&suffix));
            assert_eq!(
                others.collect::<Vec<_>>(),
                [&"http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire"]
            );
            assert_eq!(declared.len(), profiles, "{version}");
            let of_types = resources(&statement).iter().filter_map(|on| on["extension"].as_array());
            assert_eq!(of_types.map(Vec::len).sum::<usize>(), combinations, "{version}");
            let params = resources(&statement).iter().map(|on| on["searchParam"].as_array().unwrap().len());
            let offered = ResourceType::served().iter().map(|on| set.params_of(*on).count());
            assert_eq!(params.sum::<usize>(), offered.sum::<usize>(), "{version}");
        }
    }

    #[test]
    fn exports_are_declared_where_there_are_some() {
        let settings = Settings::new("https://here.test", Environment::Production, b"x");
        let written =
            |exports| -> Value { serde_json::from_str(&statement(&settings, &Endpoints::default(), exports)).unwrap() };
        let definition = |operations: &Value, name: &str| {
            let all = operations.as_array().into_iter().flatten();
            let mut found = all.filter(|one| one["name"] == name).filter_map(|one| one["definition"].as_str());
            found.next().map(str::to_owned)
        };
        // In sequence, so that the cached part for one is not used for the other.
        for exports in [true, false, true] {
            let all = written(exports);
            let of_type = |resource_type: &str| {
                let resource = resources(&all).iter().find(|resource| resource["type"] == resource_type).unwrap();
                definition(&resource["operation"], "export")
            };
            let operation = |name: &str| Some(format!("http://hl7.org/fhir/uv/bulkdata/OperationDefinition/{name}"));
            let expected = ["export", "patient-export", "group-export"].map(|name| operation(name).filter(|_| exports));
            let found = [definition(&all["rest"][0]["operation"], "export"), of_type("Patient"), of_type("Group")];
            assert_eq!(found, expected);
            assert_eq!(of_type("Observation"), None);
            let group = resources(&all).iter().find(|resource| resource["type"] == "Group").unwrap();
            assert_eq!(definition(&group["operation"], "davinci-data-export").is_some(), exports);
            assert_eq!(texts(&all["instantiates"]).contains(&BULK_DATA), exports);
            assert!(exports || all["rest"][0].get("operation").is_none());
            let patient = resources(&all).iter().find(|resource| resource["type"] == "Patient").unwrap();
            assert!(definition(&patient["operation"], "everything").is_some());
        }
    }

    #[test]
    fn a_parameter_has_the_definition_of_the_declared_version() {
        let definition = |statement: &Value, base: &str, name: &str| {
            let found = resources(statement).iter().find(|resource| resource["type"] == base).unwrap();
            let params = found["searchParam"].as_array().unwrap();
            params.iter().find(|param| param["name"] == name).unwrap()["definition"].as_str().map(str::to_owned)
        };
        let [six, seven, eight] = UsCore::all().map(|us_core| of(us_core, IndexSet::us_core()));
        for (statement, base, name, expected) in [
            (&six, "Condition", "_lastUpdated", "SearchParameter/Resource-lastUpdated"),
            (&seven, "Condition", "_lastUpdated", "us/core/SearchParameter/us-core-condition-lastupdated"),
            (&seven, "Patient", "gender", "us/core/SearchParameter/us-core-patient-gender"),
            (&eight, "Patient", "gender", "SearchParameter/individual-gender"),
            (&eight, "Patient", "_id", "us/core/SearchParameter/us-core-patient-id"),
            (&eight, "Observation", "_id", "SearchParameter/Resource-id"),
        ] {
            let expected = format!("http://hl7.org/fhir/{expected}");
            assert_eq!(definition(statement, base, name), Some(expected), "{base} {name}");
        }
        assert_eq!(definition(&six, "PractitionerRole", "practitioner.name"), None);
    }
}
