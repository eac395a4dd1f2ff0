//! The layers of docs/architecture.md, held against the code: a module uses only lower layers, and no module below the
//! runtimes names a platform. Within one crate, the compiler checks neither.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The modules by layer, the lowest first. A module may use itself and lower layers, but no other module of its own
/// layer.
const LAYERS: &[&[&str]] = &[
    &["fhir", "database", "cache", "order"],
    &["search", "job"],
    &["smart"],
    &["oauth", "store"],
    &["ingest", "auth_store", "export"],
    &["api"],
    &["edge", "native", "browser"],
];

/// Names of platforms, which only a runtime may use.
const RUNTIMES_ONLY: &[&str] = &[
    "worker::",
    "wasm_bindgen",
    "js_sys",
    "web_sys",
    "rusqlite",
    "std::time",
    "std::fs",
    "std::env",
    "getrandom",
    "println!",
];

fn layer(module: &str) -> usize {
    LAYERS.iter().position(|modules| modules.contains(&module)).unwrap_or_else(|| panic!("{module} has no layer"))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The module of each file, its path, and its lines before the tests, without comments.
fn sources() -> Vec<(String, PathBuf, Vec<String>)> {
    let modules = files(Path::new("src")).into_iter().filter_map(|path| {
        let inside = path.strip_prefix("src").unwrap().to_owned();
        let module = inside.iter().next()?.to_string_lossy().trim_end_matches(".rs").to_owned();
        if path.extension()? != "rs" || matches!(module.as_str(), "lib" | "bin") {
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
fn modules_use_only_lower_layers() {
    for (module, path, lines) in sources() {
        for line in lines {
            for used in line.split("crate::").skip(1) {
                let other: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let allowed = other == module || layer(&other) < layer(&module);
                assert!(allowed, "{} is in {module} and uses {other}: {line}", path.display());
            }
        }
    }
}

#[test]
fn only_runtimes_name_a_platform() {
    for (module, path, lines) in sources() {
        if layer(&module) == LAYERS.len() - 1 {
            continue;
        }
        for line in lines {
            for word in RUNTIMES_ONLY {
                assert!(!line.contains(word), "{} names {word}: {line}", path.display());
            }
        }
    }
}

#[test]
fn statuses_are_named_only_where_refusals_are_written() {
    // `api` and `edge` make replies with their statuses. Elsewhere `oauth/error.rs` alone has the statuses of refusals.
    for (module, path, lines) in sources().iter().filter(|(module, ..)| !matches!(module.as_str(), "api" | "edge")) {
        // The client of a server reads its statuses.
        if ["oauth/error.rs", "native/http.rs"].iter().any(|name| path.ends_with(name)) {
            continue;
        }
        for line in lines {
            for status in ["400", "401", "403", "404", "405", "500"] {
                let alone = line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == status);
                assert!(!alone, "{} in {module} says {status}: {line}", path.display());
            }
        }
    }
}

#[test]
fn every_file_says_what_it_is_for() {
    for path in files(Path::new("src")).iter().filter(|path| path.extension().is_some_and(|e| e == "rs")) {
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.starts_with("//! ") && !text.starts_with("//! wip"), "{} has no doc comment", path.display());
    }
}

#[test]
fn files_that_use_each_other_are_three_at_most() {
    let large: Vec<_> = Uses::of_sources().circles().into_iter().filter(|files| files.len() > 3).collect();
    assert!(large.is_empty(), "{large:#?}");
}

/// A path of names, such as that of a module in the crate.
type Names = Vec<String>;

/// The uses of the files of `src`.
struct Uses {
    /// The module of each file. That of a `mod.rs` is its folder.
    files: BTreeMap<Names, UsesOfFile>,
}

/// The uses of a file.
struct UsesOfFile {
    /// The paths of its `use` items, each with the name that it has here.
    items: Vec<(Names, String)>,
    /// The paths in the rest of its code.
    paths: Vec<Names>,
    /// True if it only declares modules and exports again what they have.
    is_face: bool,
}

impl UsesOfFile {
    fn of(code: &str) -> Self {
        let (mut items, mut rest) = (Vec::new(), String::new());
        let mut item: Option<String> = None;
        for line in code.lines() {
            let line = line.trim();
            let begins = line.strip_prefix("pub use ").or_else(|| line.strip_prefix("use "));
            let part = begins.or_else(|| item.is_some().then_some(line));
            let Some(part) = part else {
                rest.push_str(line);
                rest.push('\n');
                continue;
            };
            let text = item.take().unwrap_or_default() + part;
            match text.strip_suffix(';') {
                Some(tree) => add_items(&[], tree, &mut items),
                None => item = Some(text),
            }
        }
        let is_declaration = |line: &str| line.starts_with("#") || line.ends_with(';') && line.contains("mod ");
        let is_face = rest.lines().all(|line| line.is_empty() || is_declaration(line));
        let words = rest.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        let paths = words.filter(|word| word.contains("::")).map(names).collect();
        Self { items, paths, is_face }
    }
}

fn names(path: &str) -> Names {
    path.split("::").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Adds the items of a tree of `use`.
fn add_items(prefix: &[String], tree: &str, items: &mut Vec<(Names, String)>) {
    let tree = tree.trim();
    if let Some((start, inner)) = tree.strip_suffix('}').and_then(|tree| tree.split_once('{')) {
        let prefix = [prefix, &names(start)].concat();
        let (mut depth, mut begin) = (0, 0);
        for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    add_items(&prefix, inner.get(begin..at).unwrap(), items);
                    begin = at + 1;
                }
                _ => {}
            }
        }
    } else if !tree.is_empty() {
        let (path, name) = tree.split_once(" as ").map_or((tree, None), |(path, name)| (path, Some(name)));
        let mut path = [prefix, &names(path)].concat();
        path.pop_if(|last| last == "self" || last == "*");
        let name = name.map(str::to_owned).or_else(|| path.last().cloned());
        items.extend(name.map(|name| (path, name)));
    }
}

impl Uses {
    fn of_sources() -> Self {
        let files = sources().into_iter().map(|(_, path, lines)| {
            let inside = path.strip_prefix("src").unwrap().with_extension("");
            let mut module: Names = inside.iter().map(|name| name.to_string_lossy().into_owned()).collect();
            module.pop_if(|last| last == "mod");
            (module, UsesOfFile::of(&lines.join("\n")))
        });
        Self { files: files.collect() }
    }

    /// The path from the root of the crate that a path in this module stands for. `None` if it leads out of the crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Names> {
        match path {
            [first, rest @ ..] if first == "crate" => Some(rest.to_vec()),
            [first, rest @ ..] if first == "self" => Some([module, rest].concat()),
            [first, ..] if first == "super" => {
                let up = path.iter().take_while(|name| *name == "super").count();
                Some([module.get(..module.len().checked_sub(up)?)?, &path[up..]].concat())
            }
            [first, ..] => {
                let child = [module, &path[..1]].concat();
                if self.files.contains_key(&child) {
                    return Some([module, path].concat());
                }
                let items = &self.files.get(module)?.items;
                let (whole, _) = items.iter().find(|(whole, name)| name == first && whole != path)?;
                Some([self.absolute(module, whole)?, path[1..].to_vec()].concat())
            }
            [] => None,
        }
    }

    /// The module of the file that has what a path from the root names. What a file exports again is looked for where
    /// it comes from.
    fn file(&self, path: &[String]) -> Names {
        let mut module = Names::new();
        for (at, name) in path.iter().enumerate() {
            let child = [&module[..], std::slice::from_ref(name)].concat();
            if self.files.contains_key(&child) {
                module = child;
                continue;
            }
            let items = self.files.get(&module).map(|file| &file.items);
            let item = items.and_then(|items| items.iter().find(|(_, known)| known == name));
            let from = item.and_then(|(from, _)| self.absolute(&module, from)).filter(|from| from != path);
            return from.map_or(module, |from| self.file(&[&from[..], &path[at + 1..]].concat()));
        }
        module
    }

    /// The groups of files of one module that use each other, each in order. A file that only declares modules is none.
    fn circles(&self) -> BTreeSet<Vec<String>> {
        let is_file = |module: &Names| self.files.get(module).is_some_and(|file| !file.is_face);
        let used = |module: &Names| -> BTreeSet<Names> {
            let file = &self.files[module];
            let paths = file.items.iter().map(|(path, _)| path).chain(&file.paths);
            let used = paths.filter_map(|path| self.absolute(module, path)).map(|path| self.file(&path));
            used.filter(|other| other.first() == module.first() && is_file(other)).collect()
        };
        let direct: BTreeMap<_, _> = self.files.keys().filter(|module| is_file(module)).map(|m| (m, used(m))).collect();
        let reached = |from: &Names| {
            let (mut all, mut next) = (BTreeSet::new(), vec![from]);
            while let Some(module) = next.pop() {
                next.extend(direct[module].iter().filter(|other| all.insert((*other).clone())));
            }
            all
        };
        let reached: BTreeMap<_, _> = direct.keys().map(|module| (*module, reached(module))).collect();
        let circle = |module: &Names| {
            let of = reached[module].iter().filter(|other| *other == module || reached[other].contains(module));
            of.map(|module| module.join("::")).collect::<Vec<_>>()
        };
        reached.keys().map(|module| circle(module)).filter(|circle| circle.len() > 1).collect()
    }
}

#[test]
fn a_circle_is_seen_through_the_faces_of_modules() {
    let files = [
        ("a", "mod one;\nmod two;\npub use one::One;\npub use two::{\n    Two,\n    three::Three as Third,\n};"),
        ("a::one", "use super::Third;\nuse std::fmt;\nstruct One;"),
        ("a::two", "pub mod three;\nuse super::One;\nstruct Two;"),
        ("a::two::three", "use crate::b::B;\nfn three(_: super::Two) {}"),
        ("b", "use crate::a::One;\nstruct B;"),
    ];
    let files = files.map(|(module, code)| (names(module), UsesOfFile::of(code)));
    let circles = Uses { files: files.into() }.circles();
    assert_eq!(circles, BTreeSet::from([["a::one", "a::two", "a::two::three"].map(str::to_owned).to_vec()]));
}

/// Calls that read JSON and numbers.
const PARSES: [&str; 3] = ["serde_json::from_", ".parse()", ".parse::<"];

/// The statements that may go on with a default where a text cannot be read, by file.
const DEFAULTS: [(&str, &str); 1] = [
    // The text of before may be of another kind, and has no elements then.
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

/// Calls that read what is stored: bytes and texts of rows, charts and values.
const READS: [&str; 5] = ["serde_json::from_", ".parse()", ".parse::<", "from_utf8(", "postcard::"];

/// The statements of the modules that read what is stored which have `None` for a value that cannot be read, by file.
const OPTIONS: [(&str, usize); 12] = [
    // Their callers make an error of it.
    ("src/ingest/writer/stored_records.rs", 1),
    ("src/store/chart/entry.rs", 1),
    ("src/store/chart/loose.rs", 1),
    ("src/store/chart/open.rs", 1),
    ("src/store/indexed_params.rs", 1),
    ("src/store/sql/databases.rs", 1),
    // One is of owners, as above, and the other of parameters, of which the row may have any then.
    ("src/ingest/writer/stored_row.rs", 2),
    // One is of a page, as above, and the other looks for UUIDs in what is to be stored.
    ("src/store/chart/page.rs", 2),
    // A setting, which is refused then.
    ("src/store/sql/window.rs", 1),
    // What comes in; and a stored text, which counts as another one than the new text that replaces it.
    ("src/ingest/age.rs", 2),
    ("src/ingest/document.rs", 1),
    ("src/ingest/index.rs", 1),
];

#[test]
fn what_is_stored_and_cannot_be_read_is_not_taken_as_absent_in_silence() {
    let mut found = BTreeMap::new();
    for (module, path, lines) in sources() {
        let code = lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        if !matches!(module.as_str(), "store" | "ingest" | "job" | "auth_store") {
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
