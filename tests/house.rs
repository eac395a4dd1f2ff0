//! The layers of docs/architecture.md, held against the code: a module uses only lower layers, and no module below the
//! runtimes names a platform. Within one crate, the compiler checks neither.

use std::path::{Path, PathBuf};

/// The modules by layer, the lowest first. A module may use itself and lower layers, but no other module of its own
/// layer.
const LAYERS: &[&[&str]] = &[
    &["fhir", "cache"],
    &["search"],
    &["smart"],
    &["oauth", "store"],
    &["ingest", "auth_store"],
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
        if path.ends_with("oauth/error.rs") || path.ends_with("native/send.rs") {
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
