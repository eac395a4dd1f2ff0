//! Rules of the code that neither the compiler nor clippy sees. The layers of docs/architecture.md are members of the
//! workspace, so the compiler holds them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Returns the module of each file, its path, and its lines before the tests, without comments.
fn sources() -> Vec<(String, PathBuf, Vec<String>)> {
    let modules = files(Path::new("src")).into_iter().filter_map(|path| {
        let inside = path.strip_prefix("src").unwrap().to_owned();
        let module = inside.iter().next()?.to_string_lossy().trim_end_matches(".rs").to_owned();
        if path.extension()? != "rs" || module == "bin" {
            return None;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap().split("#![cfg(test)]").next().unwrap();
        let lines = code.lines().map(|line| line.split("//").next().unwrap().to_owned()).collect();
        Some((module, path, lines))
    });
    modules.collect()
}

#[test]
fn statuses_are_named_only_where_refusals_are_written() {
    // `api` and `edge` make replies with their statuses. Elsewhere only `oauth/error.rs` has the statuses of refusals.
    for (module, path, lines) in sources().iter().filter(|(module, ..)| !matches!(module.as_str(), "api" | "edge")) {
        // The client of a server reads the statuses of the server.
        if ["oauth/error.rs", "native/http.rs"].iter().any(|name| path.ends_with(name)) {
            continue;
        }
        for line in lines {
            for status in ["400", "401", "403", "404", "405", "500"] {
                let alone = line.split(|c| !is_of_name(c)).any(|word| word == status);
                assert!(!alone, "{} in {module} says {status}: {line}", path.display());
            }
        }
    }
}

#[test]
fn no_modules_of_a_member_use_each_other_in_a_circle() {
    let mut uses: BTreeMap<[String; 2], BTreeSet<[String; 2]>> = BTreeMap::new();
    for (member, path, lines) in sources() {
        let inside = path.strip_prefix("src").unwrap().strip_prefix(&member).unwrap().with_extension("");
        let names: Vec<_> = inside.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        let from = uses.entry([member.clone(), names[0].clone()]).or_default();
        let depth = names.len() - usize::from(names.ends_with(&["mod".to_owned()]));
        let text = lines.join("\n");
        for root in ["crate::", &"super::".repeat(depth)] {
            let named = text.split(root).skip(1).filter_map(|after| after.split(|c: char| !is_of_name(c)).next());
            from.extend(named.filter(|to| *to != names[0]).map(|to| [member.clone(), to.to_owned()]));
        }
    }
    uses.retain(|[_, name], _| name != "lib");
    // What uses no module that is left is in no circle.
    while let Some(free) = uses.iter().find(|(_, to)| !to.iter().any(|one| uses.contains_key(one))) {
        let free = free.0.clone();
        uses.remove(&free);
    }
    assert!(uses.is_empty(), "{uses:?}");
}

#[test]
fn every_file_says_what_it_is_for() {
    for path in files(Path::new("src")).iter().filter(|path| path.extension().is_some_and(|e| e == "rs")) {
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.starts_with("//! ") && !text.starts_with("//! wip"), "{} has no doc comment", path.display());
    }
}

#[test]
fn the_package_of_a_member_has_all_that_it_includes() {
    // A package is only the folder of a member, and names other members by their versions.
    let manifest = std::fs::read_to_string("Cargo.toml").unwrap();
    for member in manifest.lines().filter(|line| line.contains("{ package = ")) {
        assert!(member.contains("version = "), "{member} has no version");
    }
    for path in files(Path::new("src")) {
        if path.extension().is_none_or(|e| e != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for call in ["include_str!(", "include_bytes!(", "include!(", "#[path"] {
            for named in text.split(call).skip(1).filter_map(|after| after.split([')', ']']).next()) {
                assert!(!named.contains(".."), "{} includes {named}", path.display());
            }
        }
    }
}

const PARSES: [&str; 3] = ["serde_json::from_", ".parse()", ".parse::<"];

/// The statements that may continue with a default if a text cannot be read, by file.
const DEFAULTS: [(&str, &str); 2] = [
    // The tables are constants, and a test beside them parses them.
    ("src/api/mcp/catalogue.rs", "serde_json::from_str(text)"),
    // The previous text may be of another kind, and then has no elements.
    ("src/fhir/json.rs", "let old = serde_json::from_str::<Vec<&RawValue>>(text)"),
];

#[test]
fn no_text_that_cannot_be_read_becomes_a_default_in_silence() {
    for (_, path, lines) in sources() {
        let code = lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        for statement in code.split_inclusive([';', '{', '}']) {
            let reads = PARSES.iter().any(|parse| statement.contains(parse));
            let is_known = DEFAULTS.iter().any(|(file, text)| path.ends_with(file) && statement.contains(text));
            assert!(
                is_known || !reads || !statement.contains("unwrap_or_default()"),
                "{}: {statement}",
                path.display()
            );
        }
    }
}

/// Calls that read stored data: bytes and texts of rows, charts and values.
const READS: [&str; 5] = ["serde_json::from_", ".parse()", ".parse::<", "from_utf8(", "postcard::"];

/// The statements that read stored data and return `None` for an unreadable value, by file.
const OPTIONS: [(&str, usize); 12] = [
    // The callers turn `None` into an error.
    ("src/ingest/writer/stored_records.rs", 1),
    ("src/chart/entry.rs", 1),
    ("src/store/indexed_params.rs", 1),
    ("src/store/sql/databases.rs", 1),
    // One is for owners, as above. The other is for parameters: the row may then have any parameters.
    ("src/ingest/writer/stored_row.rs", 2),
    // One is for a page, as above. The other looks for UUIDs in a text that is to be stored.
    ("src/chart/page.rs", 2),
    // A value that the same load has written.
    ("src/ingest/spill.rs", 1),
    // A setting, which is then refused.
    ("src/store/sql/window.rs", 1),
    // Incoming texts; and a stored text, which then counts as different from the new text that replaces it.
    ("src/ingest/age.rs", 2),
    ("src/ingest/document.rs", 1),
    ("src/ingest/index.rs", 1),
    ("src/ingest/invalid_data.rs", 1),
];

#[test]
fn what_is_stored_and_cannot_be_read_is_not_taken_as_absent_in_silence() {
    let mut found = BTreeMap::new();
    for (module, path, lines) in sources() {
        let code = lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        if !matches!(module.as_str(), "chart" | "store" | "ingest" | "job" | "auth_store") {
            continue;
        }
        assert!(!code.contains(".ok()??"), "{}: an error counts as nothing", path.display());
        let reads = |statement: &&str| READS.iter().any(|read| statement.contains(read)) && statement.contains(".ok()");
        let count = code.split_inclusive([';', '{', '}']).filter(reads).count();
        if count > 0 {
            found.insert(path.to_string_lossy().into_owned(), count);
        }
    }
    assert_eq!(found, OPTIONS.map(|(file, count)| (file.to_owned(), count)).into());
}

#[test]
fn variants_of_kinds_facts_and_criteria_are_named_in_one_folder() {
    let folder = Path::new("src/search/kind");
    let mut variants = Vec::new();
    for (sum, file) in
        [("Kind", "mod.rs"), ("Fact", "fact.rs"), ("Criterion", "criterion.rs"), ("StoredFact", "stored.rs")]
    {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let begin = text.split_once(&format!("pub enum {sum}")).unwrap().1.split_once("{\n").unwrap().1;
        let lines = begin.split_once("\n}").unwrap().0.lines().map(str::trim).filter(|line| !line.starts_with("///"));
        let names = lines.map(|line| line.split(['(', ',']).next().unwrap());
        let before = variants.len();
        variants.extend(names.map(|name| format!("{sum}::{name}")));
        assert!(variants.len() > before + 4, "{file} has the variants of {sum}");
    }
    for (_, path, lines) in sources().into_iter().filter(|(_, path, _)| !path.starts_with(folder)) {
        for line in lines {
            let named = line.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':')).find(|word| {
                variants.iter().any(|variant| {
                    word.strip_suffix(variant.as_str())
                        .is_some_and(|before| before.is_empty() || before.ends_with("::"))
                })
            });
            assert!(named.is_none(), "{} names a variant: {line}", path.display());
        }
    }
}
