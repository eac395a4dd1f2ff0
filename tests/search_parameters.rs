//! The table of search parameters in the docs and the list of types in the contract, held against the registry.
//! `REGENERATE=1 cargo test --test search_parameters` writes the table anew.

#![cfg(test)]

use edgechart::fhir::ResourceType;
use edgechart::search::{Include, PARAMS, includes, reverse_includes};

const FILE: &str = "docs/search-parameters.md";
const BEGIN: &str = "<!-- parameters: written by tests/search_parameters.rs -->\n";
const END: &str = "<!-- /parameters -->";

fn table() -> String {
    let mut text = String::from("\n| type | parameters | with the matches |\n|---|---|---|\n");
    for kind in ResourceType::ALL {
        let params = PARAMS.iter().filter(|param| param.on == *kind).map(|param| {
            let name = if param.clinical { format!("**{}**", param.name) } else { param.name.to_owned() };
            let mark = if param.identifying { "\\*" } else { "" };
            format!("{name}{mark} ({})", param.kind.fhir_type())
        });
        let mut included: Vec<_> = includes(*kind).chain(reverse_includes(*kind)).map(|i| Include::name(&i)).collect();
        included.dedup();
        let params: Vec<_> = params.collect();
        text.push_str(&format!("| {kind} | {} | {} |\n", params.join(", "), included.join(", ")));
    }
    text + "\n"
}

#[test]
fn the_table_of_parameters_says_what_the_registry_says() {
    let file = std::fs::read_to_string(FILE).unwrap();
    let (before, rest) = file.split_once(BEGIN).expect("the file has the first mark");
    let (written, after) = rest.split_once(END).expect("the file has the second mark");
    let table = table();
    if std::env::var_os("REGENERATE").is_some() {
        std::fs::write(FILE, [before, BEGIN, &table, END, after].concat()).unwrap();
    } else {
        assert!(written == table, "the registry has changed: REGENERATE=1 cargo test --test search_parameters");
    }
}

#[test]
fn the_documents_list_the_types_that_are_served() {
    let count = ResourceType::ALL.len();
    let names: Vec<_> = ResourceType::ALL.iter().map(|kind| kind.name()).collect();
    let contract = std::fs::read_to_string("docs/contract.md").unwrap().replace('\n', " ");
    assert!(contract.contains(&format!("{count} types can be read and searched: {}.", names.join(", "))));
    assert!(std::fs::read_to_string("README.md").unwrap().contains(&format!("| {count} types;")));
}
