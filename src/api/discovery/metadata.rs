//! The CapabilityStatement (<https://hl7.org/fhir/R4/capabilitystatement.html>). It is generated from the registry of
//! search parameters, so that it lists exactly what the parser accepts.

use std::sync::{Arc, Mutex};

use serde_json::{Map, Value, json};

use super::well_known::Endpoints;
use crate::configuration::settings::{Environment, FHIR, Settings};
use crate::http::form::FormPairs;
use crate::http::negotiate::is_known;
use crate::http::problem::Problem;
use crate::http::reply::{FHIR_JSON, HeaderPolicy, Reply};
use fhir::{Issue, IssueCode, ResourceType, indent, quoted, read_own};
use oauth::hashed;
use search::{Combination, Guides, IndexSet, combinations, compartment_types, includes, reverse_includes};

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
        return Err(Problem::from(issue.hint("full")));
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
pub fn capabilities(base: &str, index: &'static IndexSet) -> String {
    let origin = base.strip_suffix(FHIR).unwrap_or(base);
    let settings = Settings { index, ..Settings::new(origin, Environment::Sandbox, &[]) };
    statement(&settings, &Endpoints::default(), false)
}

/// The members of the statement. Names in braces are replaced.
const STATEMENT: &str = r#"{"resourceType":"CapabilityStatement","id":"edgechart","url":"{url}","version":"{version}",
"name":"Edgechart","title":"edgechart","status":"active","experimental":"{experimental}","date":"{date}",
"extension":[{"url":"http://hl7.org/fhir/5.0/StructureDefinition/extension-CapabilityStatement.acceptLanguage","valueCode":"en"}],
"publisher":"edgechart",
"description":"Patients' records for reading, at the edge: FHIR R4, US Core {us_core}, SMART on FHIR. Of what US Core asks of a server, create is not offered.",
"kind":"instance",
"instantiates":"{instantiates}",
"software":{"name":"edgechart","version":"{version}"},"implementation":{"description":"edgechart","url":"{base}"},
"fhirVersion":"4.0.1","format":["json","application/fhir+json"],
"implementationGuide":["http://hl7.org/fhir/us/core/ImplementationGuide/hl7.fhir.us.core|{us_core}"],
"rest":[{"mode":"server",
"documentation":"Every search of a patient's records needs patient or _id, but where the token is a patient's. In a record, references are followed by chains and by _has.",
"security":{"cors":true,"service":[{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/restful-security-service",
"code":"SMART-on-FHIR","display":"SMART-on-FHIR"}],"text":"OAuth 2.0 with SMART on FHIR scopes"}],
"extension":[{"url":"http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris","extension":"{uris}"}]},
"resource":"{resources}","interaction":[{"code":"search-system"}],"compartment":"{compartments}"{operations}}]}"#;

const OPERATIONS: &[(ResourceType, &str, &str)] = &[
    (ResourceType::DocumentReference, "docref", "http://hl7.org/fhir/us/core/OperationDefinition/docref"),
    (ResourceType::DocumentReference, "docref", "http://hl7.org/fhir/uv/ipa/OperationDefinition/docref"),
    (ResourceType::Observation, "lastn", "http://hl7.org/fhir/OperationDefinition/Observation-lastn"),
    (ResourceType::Patient, "everything", "http://hl7.org/fhir/OperationDefinition/Patient-everything"),
];

const SUMMARY: (ResourceType, &str, &str) =
    (ResourceType::Patient, "summary", "http://hl7.org/fhir/uv/ips/OperationDefinition/summary");

/// The operations that only some servers have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Offered {
    exports: bool,
    publishes: bool,
    version_4: bool,
    summaries: bool,
}

/// The operations of a server that exports records, each with its definition: that of the system, and those of types.
const EXPORTS: [(Option<ResourceType>, &str, &str); 5] = [
    (None, "export", "http://hl7.org/fhir/uv/bulkdata/OperationDefinition/export"),
    (Some(ResourceType::Patient), "export", "http://hl7.org/fhir/uv/bulkdata/OperationDefinition/patient-export"),
    (Some(ResourceType::Group), "export", "http://hl7.org/fhir/uv/bulkdata/OperationDefinition/group-export"),
    (
        Some(ResourceType::Group),
        "davinci-data-export",
        "http://hl7.org/fhir/us/davinci-atr/OperationDefinition/davinci-data-export",
    ),
    (None, PUBLISH, "http://hl7.org/fhir/uv/bulkdata/OperationDefinition/bulk-publish"),
];

/// The operation of a server with a public directory.
const PUBLISH: &str = "bulk-publish";

/// The CapabilityStatement of Bulk Data Access, which such a server instantiates.
const BULK_DATA: &str = "http://hl7.org/fhir/uv/bulkdata/CapabilityStatement/bulk-data";

/// The documentation of `_lastUpdated`, which US Core requires to say which changes it shows.
const LAST_UPDATED: &str = "When the source last changed the resource; if it does not say so, when a load last changed \
                            what is stored, including references that were resolved later.";

/// The members that are the same for every type.
const RESOURCE: &str = r#"{"type":"{type}","interaction":[{"code":"read"},{"code":"vread"},{"code":"search-type"}],
"versioning":"versioned","readHistory":false,"updateCreate":false,"referencePolicy":["literal","local"]}"#;

/// Returns the types with the parameters of a set, as a JSON array. They make up most of the statement and are the same
/// in every answer of a server, so the last ones are cached.
fn resources(set: &'static IndexSet, guides: &Guides, offered: Offered) -> Arc<str> {
    type Of = (&'static IndexSet, Guides, Offered);
    static LAST: Mutex<Option<(Of, Arc<str>)>> = Mutex::new(None);
    let of = (set, guides.clone(), offered);
    let kept = LAST.lock().ok().and_then(|last| last.clone());
    if let Some((_, text)) = kept.filter(|(kept, _)| *kept == of) {
        return text;
    }
    let all: Value = ResourceType::served().iter().map(|on| resource(*on, set, guides, offered)).collect();
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
    let experimental = settings.environment == Environment::Sandbox;
    let mut text = STATEMENT
        .replace('\n', "")
        .replace("{version}", env!("CARGO_PKG_VERSION"))
        .replace("{date}", DATE)
        .replace("{us_core}", settings.guides.us_core_version());
    for (gap, value) in [
        ("\"{url}\"", Value::from(format!("{}/metadata", settings.base))),
        ("\"{base}\"", Value::from(settings.base.as_str())),
        ("\"{experimental}\"", Value::from(experimental)),
        ("\"{uris}\"", uris(endpoints)),
        ("\"{compartments}\"", compartments.collect()),
    ] {
        text = text.replace(gap, &value.to_string());
    }
    let (mut instantiates, mut operations) = (settings.guides.statements(), String::new());
    let (publishes, version_4, summaries) = (settings.public.is_some(), settings.export_v4, settings.summaries);
    let offered = Offered { exports, publishes, version_4, summaries };
    if exports {
        instantiates.push(BULK_DATA.to_owned());
        operations = format!(",\"operation\":{}", Value::from(exports_of(None, offered)));
    }
    let text = text.replace("\"{instantiates}\"", &Value::from(instantiates).to_string());
    let text = text.replace("{operations}", &operations);
    text.replace("\"{resources}\"", &resources(settings.index, &settings.guides, offered))
}

/// Returns the operations that export records of the system or of a type.
fn exports_of(resource_type: Option<ResourceType>, offered: Offered) -> Vec<Value> {
    let Offered { exports, publishes, version_4, .. } = offered;
    let is_offered = |name: &str| exports && (name != PUBLISH || publishes);
    let all = EXPORTS.iter().filter(|(of, name, _)| *of == resource_type && is_offered(name));
    let all = all.flat_map(|(_, name, definition)| {
        let later = (version_4 && *name == "export")
            .then(|| json!({"name": "export-v4", "definition": format!("{definition}|4.0.0-ballot")}));
        [json!({"name": name, "definition": definition})].into_iter().chain(later)
    });
    all.collect()
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

fn resource(resource_type: ResourceType, index: &'static IndexSet, guides: &Guides, offered: Offered) -> Value {
    let params = index.params_of(resource_type).map(|param| {
        let mut entry = Map::from_iter([("name".to_owned(), Value::from(param.name))]);
        entry.insert("type".to_owned(), param.kind.fhir_type().into());
        entry.extend(param.definition(guides).map(|definition| ("definition".to_owned(), definition.into())));
        let documentation = Some(LAST_UPDATED).filter(|_| param.name == "_lastUpdated");
        entry.extend(documentation.map(|text| ("documentation".to_owned(), text.into())));
        Value::from(entry)
    });
    let mut resource: Value = read_own(&RESOURCE.replace("{type}", resource_type.name()));
    let Some(members) = resource.as_object_mut() else { return resource };
    let mut add = |name: &str, values: Vec<Value>| {
        if !values.is_empty() {
            members.insert(name.to_owned(), values.into());
        }
    };
    add("searchParam", params.collect());
    add("supportedProfile", guides.profiles(resource_type).into_iter().map(Value::from).collect());
    let forward: Vec<Value> = includes(resource_type, index).map(Value::from).collect();
    let all = (!forward.is_empty()).then(|| Value::from("*"));
    add("searchInclude", all.into_iter().chain(forward).collect());
    add("searchRevInclude", reverse_includes(resource_type, index).map(Value::from).collect());
    let summary = Some(&SUMMARY).filter(|_| offered.summaries);
    let operations = OPERATIONS.iter().chain(summary).filter(|(base, ..)| *base == resource_type);
    let operations = operations.map(|(_, name, definition)| json!({"name": name, "definition": definition}));
    add("operation", operations.chain(exports_of(Some(resource_type), offered)).collect());
    add("extension", combinations(guides, resource_type).iter().map(combination).collect());
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

#[cfg(test)]
mod tests {
    use super::*;
    use search::Guide;

    fn of(guides: impl Into<Guides>, index: &'static IndexSet) -> Value {
        let settings = Settings::new("https://here.test", Environment::Sandbox, b"x");
        let settings = Settings { index, guides: guides.into(), ..settings };
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
        let sets = [IndexSet::us_core(), IndexSet::of_r4()]
            .into_iter()
            .flat_map(|set| Guide::us_core().map(move |of| (set, of)));
        let expected = [(67, 50), (71, 53), (69, 55), (70, 56)].into_iter().cycle();
        for ((set, us_core), (combinations, profiles)) in sets.zip(expected) {
            let (version, statement) = (Guides::from(us_core).us_core_version(), of(us_core, set));
            let instantiates = format!("{CORE}/CapabilityStatement/us-core-server");
            assert_eq!(texts(&statement["instantiates"]), [&format!("{instantiates}|{version}"), &instantiates]);
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
        let later = Settings { export_v4: true, ..settings };
        let later: Value = serde_json::from_str(&statement(&later, &Endpoints::default(), true)).unwrap();
        let expected = "http://hl7.org/fhir/uv/bulkdata/OperationDefinition/export|4.0.0-ballot";
        assert_eq!(definition(&later["rest"][0]["operation"], "export-v4").as_deref(), Some(expected));
    }

    #[test]
    fn a_parameter_has_the_definition_of_the_declared_version() {
        let definition = |statement: &Value, base: &str, name: &str| {
            let found = resources(statement).iter().find(|resource| resource["type"] == base).unwrap();
            let params = found["searchParam"].as_array().unwrap();
            params.iter().find(|param| param["name"] == name).unwrap()["definition"].as_str().map(str::to_owned)
        };
        let statements: Vec<_> = Guide::us_core().map(|us_core| of(us_core, IndexSet::us_core())).collect();
        let [six, seven, eight, _] = statements.as_slice() else { panic!("four versions") };
        for (statement, base, name, expected) in [
            (six, "Condition", "_lastUpdated", "SearchParameter/Resource-lastUpdated"),
            (seven, "Condition", "_lastUpdated", "us/core/SearchParameter/us-core-condition-lastupdated"),
            (seven, "Patient", "gender", "us/core/SearchParameter/us-core-patient-gender"),
            (eight, "Patient", "gender", "SearchParameter/individual-gender"),
            (eight, "Patient", "_id", "us/core/SearchParameter/us-core-patient-id"),
            (eight, "Observation", "_id", "SearchParameter/Resource-id"),
        ] {
            let expected = format!("http://hl7.org/fhir/{expected}");
            assert_eq!(definition(statement, base, name), Some(expected), "{base} {name}");
        }
        assert_eq!(definition(six, "PractitionerRole", "practitioner.name"), None);
        // G10: the definition of R4, else of the first guide.
        let claims = "carin-bb-2.2.0 pdex-2.2.0 formulary-2.1.0 us-core-9.0.0";
        let guides = Guides::declared(claims, "", "").unwrap();
        let statement = of(guides, IndexSet::parse(claims).unwrap());
        for (base, name, expected) in [
            ("ExplanationOfBenefit", "type", "us/carin-bb/SearchParameter/explanationofbenefit-type"),
            ("ExplanationOfBenefit", "use", "us/davinci-pdex/SearchParameter/explanationofbenefit-use"),
            ("ExplanationOfBenefit", "patient", "SearchParameter/ExplanationOfBenefit-patient"),
            ("ExplanationOfBenefit", "_tag", "SearchParameter/Resource-tag"),
            ("Consent", "provision-action", "us/davinci-pdex/SearchParameter/pdex-consent-action"),
            ("Basic", "status", "us/davinci-drug-formulary/SearchParameter/Basic-status"),
            ("CareTeam", "role", "us/core/SearchParameter/us-core-careteam-role"),
        ] {
            assert_eq!(definition(&statement, base, name), Some(format!("http://hl7.org/fhir/{expected}")), "{name}");
        }
    }

    #[test]
    fn each_guide_is_declared() {
        let guides = Guides::declared("us-core-9.0.0 carin-bb-2.0.0 ipa-1.1.0 eu-health-data-api-1.0.0-ballot", "", "");
        let statement = of(guides.unwrap(), IndexSet::us_core());
        let addresses = [
            "http://hl7.org/fhir/us/core/CapabilityStatement/us-core-server|9.0.0",
            "http://hl7.org/fhir/us/core/CapabilityStatement/us-core-server",
            "http://hl7.org/fhir/us/carin-bb/CapabilityStatement/c4bb",
            "http://hl7.org/fhir/uv/ipa/CapabilityStatement/ipa-server",
            "http://hl7.eu/fhir/health-data-api/CapabilityStatement/EEHRxF-ResourceAccessProvider",
            "http://hl7.eu/fhir/health-data-api/CapabilityStatement/EEHRxF-DocumentAccessProvider",
        ];
        assert_eq!(texts(&statement["instantiates"]), addresses);
        let resource = |base: &str| resources(&statement).iter().find(|resource| resource["type"] == base).unwrap();
        let profiles = |base: &str| texts(&resource(base)["supportedProfile"]);
        let [us_core, carin, ipa] = ["us/core", "us/carin-bb", "uv/ipa"]
            .map(|guide| format!("http://hl7.org/fhir/{guide}/StructureDefinition/"));
        // U1
        assert_eq!(profiles("FamilyMemberHistory"), [format!("{us_core}us-core-familymemberhistory|9.0.0")]);
        assert_eq!(profiles("Device"), [format!("{us_core}us-core-device|9.0.0")]);
        assert!(profiles("Media").is_empty());
        assert!(texts(&resource("FamilyMemberHistory")["searchRevInclude"]).contains(&"Provenance:target"));
        let combined = &resource("FamilyMemberHistory")["extension"][0]["extension"];
        assert_eq!([1, 2].map(|at| combined[at]["valueString"].as_str()), [Some("patient"), Some("code")]);
        let of_patient = [
            format!("{us_core}us-core-patient|9.0.0"),
            format!("{carin}C4BB-Patient"),
            format!("{ipa}ipa-patient"),
            "http://hl7.eu/fhir/base/StructureDefinition/patient-eu-core".to_owned(),
        ];
        assert_eq!(profiles("Patient"), of_patient);
        assert_eq!(profiles("ExplanationOfBenefit").len(), 6);
        // CONF-0202, CONF-0199
        let last = resource("Goal")["searchParam"].as_array().unwrap().iter().find(|one| one["name"] == "_lastUpdated");
        assert!(last.unwrap()["documentation"].as_str().unwrap().contains("last changed"));
        assert_eq!(statement["extension"][0]["valueCode"], "en");
    }
}
