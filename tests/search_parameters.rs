//! Compares the tables of search parameters in the docs, the count of types in the contract, and the committed meanings
//! of the numbers of parameters with the registry. `REGENERATE=1 cargo test --test integration search_parameters::`
//! writes the tables again, and a line for new numbers. It changes no line.

use base16ct::lower::encode_string;
use sha2::{Digest, Sha256};

use fhir::ResourceType;
use search::registry::{changed, params_of, presence};
use search::{Guide, IndexSet, Modifier, Param, stored_params, us_core_includes};
use smart::{belongs_to_nobody, is_directory};
use store::names::has_own_rows;

const FILE: &str = "docs/search-parameters.md";
const BEGIN: &str = "<!-- parameters: written by tests/search_parameters.rs -->\n";
const END: &str = "<!-- /parameters -->";
const BEGIN_GUIDES: &str = "<!-- guides: written by tests/search_parameters.rs -->\n";
const END_GUIDES: &str = "<!-- /guides -->";

fn table() -> String {
    let mut text = String::from("\n| type | parameters | with the matches |\n|---|---|---|\n");
    for resource_type in ResourceType::served() {
        let params = IndexSet::us_core().params_of(*resource_type).filter(|param| !param.name.starts_with('_'));
        let params = params.map(|param| {
            let name = if param.clinical { format!("**{}**", param.name) } else { param.name.to_owned() };
            let mark = if param.identifying { "\\*" } else { "" };
            format!("{name}{mark} ({})", param.kind.fhir_type())
        });
        let without_target = |value: String| value.rsplit_once(':').unwrap().0.to_owned();
        let mut included: Vec<_> =
            us_core_includes(*resource_type).into_iter().map(|(_, value, _)| without_target(value)).collect();
        included.dedup();
        let params = params.collect::<Vec<_>>().join(", ");
        let is_of_patients = !is_directory(*resource_type) && !belongs_to_nobody(*resource_type);
        // The text before the table has the types without a line.
        if !included.is_empty() || params != if is_of_patients { "patient (reference)" } else { "" } {
            text.push_str(&format!("| {resource_type} | {params} | {} |\n", included.join(", ")));
        }
    }
    text + "\n"
}

/// Returns the parameters that guides add to the set `us-core`. Those that R4 lacks are in italics.
fn of_guides() -> String {
    let mut text = String::from("\n| guide | parameters |\n|---|---|\n");
    for guide in Guide::all() {
        let mut types: Vec<(&str, Vec<String>)> = Vec::new();
        for (base, name) in guide.needed() {
            let of_guides =
                params_of(ResourceType::parse(base).unwrap()).any(|one| one.name == name && one.is_of_guides);
            let name = if of_guides { format!("*{name}*") } else { name.to_owned() };
            match types.last_mut().filter(|(last, _)| *last == base) {
                Some((_, names)) => names.push(name),
                None => types.push((base, vec![name])),
            }
        }
        let types: Vec<_> = types.iter().map(|(base, names)| format!("{base}: {}", names.join(", "))).collect();
        let names: Vec<_> = guide.names().collect();
        let all = if types.is_empty() { "none".to_owned() } else { types.join("; ") };
        text.push_str(&format!("| {} | {all} |\n", names.join(", ")));
    }
    text + "\n"
}

#[test]
fn the_tables_of_parameters_say_what_the_registry_says() {
    for (begin, end, table) in [(BEGIN, END, table()), (BEGIN_GUIDES, END_GUIDES, of_guides())] {
        crate::support::check_table(FILE, begin, end, &[begin, &table].concat());
    }
}

#[test]
fn the_documents_count_the_types_that_are_served() {
    let count = ResourceType::served().len();
    let contract = std::fs::read_to_string("docs/contract.md").unwrap();
    assert!(contract.contains(&format!("{count} types can be read and searched: all types of FHIR R4 4.0.1")));
    assert!(std::fs::read_to_string("README.md").unwrap().contains(&format!("| {count} types;")));
}

/// The file whose lines of `meanings` have the number of a parameter and the digest of the meanings of all numbers up
/// to it.
const COMMITTED: &str = "tests/numbers.tsv";

/// Returns the elements of a parameter. The elements of a composite are grouped by component.
fn elements(param: &Param) -> String {
    let components = param.kind.components().iter();
    let read = components.filter(|component| !component.paths.is_empty());
    let read = read.map(|component| format!("{} {}", component.kind.name(), component.paths.join(", ")));
    let components = param.component_params.iter().filter_map(|place| params_of(param.base).as_slice().get(*place));
    let components: Vec<_> = components.map(|other| other.name).collect();
    let components = (!components.is_empty()).then(|| format!("the values of {}", components.join(" and ")));
    let all: Vec<_> = read.chain(components).collect();
    if all.is_empty() { param.paths.join(", ") } else { all.join("; ") }
}

/// Returns everything that determines the values that stores keep under the number of a parameter.
fn definition(param: &Param) -> String {
    if changed(param.base) == Some(param) {
        return "Date of the last change by this server".to_owned();
    }
    if presence(param.base) == Some(param) {
        return "Token of parameters with an element and no value, and of those that except the resource".to_owned();
    }
    // The target types of a reference only determine which searches are valid.
    let system = param.kind.implied_system().map(|system| format!("({system:?})")).unwrap_or_default();
    let mut text = format!("{}{system} of {}", param.kind.name(), elements(param));
    if let Some((reference, to)) = param.via {
        text.push_str(&format!(" behind {reference} to {to}"));
    }
    if let Some((path, code)) = param.unless {
        text.push_str(&format!(" unless {path} is {code}"));
    }
    if !param.is_stored() && !param.columns.is_empty() {
        let owners = stored_params(param.base).filter(|owner| param.columns.contains(&owner.id));
        let owners: Vec<_> = owners.map(|owner| owner.name).collect();
        text.push_str(&format!(", kept in charts as {}", owners.join(" and ")));
    }
    if param.clinical {
        text.push_str(", gives the order");
    }
    if param.identifying {
        text.push_str(", without a patient");
    }
    // Only types with rows have links. Other includes are found in the values.
    if has_own_rows(param.base) && !param.included.is_empty() {
        let included: Vec<_> = param.included.iter().map(|resource_type| resource_type.name()).collect();
        text.push_str(&format!(", linked to {}", included.join(", ")));
    }
    text
}

#[test]
fn a_number_never_changes_its_meaning() {
    let mut params: Vec<_> =
        ResourceType::served().iter().flat_map(|resource_type| stored_params(*resource_type)).collect();
    // A parameter of a modifier has parts of the elements of another parameter, and its number with another bit. In the
    // same way, the numbers of three hidden parameters are derived from `_present`.
    params.retain(|param| {
        let modified = |of| presence(param.base).and_then(|presence| presence.id.with_modifier(of));
        let of_type = modified(Modifier::OfType);
        let hidden = [("_contained", modified(Modifier::Text)), ("_dated", of_type), ("_party", of_type)];
        param.index_id == param.id && !hidden.contains(&(param.name, Some(param.id)))
    });
    params.sort_by_key(|param| param.id);
    let last = params.last().map_or(0, |param| param.id.number());
    let digest = |last: u16| {
        let mut digest = Sha256::new();
        for param in params.iter().filter(|param| param.id.number() <= last) {
            digest.update(format!("{}\t{}\t{}\t{}\n", param.id.number(), param.base, param.name, definition(param)));
        }
        encode_string(&digest.finalize()[..8])
    };
    let mut file = std::fs::read_to_string(COMMITTED).unwrap();
    let lines = file.lines().filter_map(|line| line.strip_prefix("meanings\t")?.split_once('\t'));
    let held = lines.map(|(number, known)| (number.parse().unwrap(), known)).max().unwrap_or_default();
    assert!(
        held.0 == 0 || digest(held.0) == held.1,
        "stores have other values under a number up to {}: retire it in src/search/tables/parameter-numbers.tsv, and remove \
         this line, which REGENERATE=1 writes anew",
        held.0
    );
    if std::env::var_os("REGENERATE").is_some() && held.0 < last {
        file.push_str(&format!("meanings\t{last}\t{}\n", digest(last)));
        std::fs::write(COMMITTED, file).unwrap();
    } else {
        assert_eq!(held.0, last, "new parameters: REGENERATE=1 cargo test --test integration search_parameters::");
    }
}
