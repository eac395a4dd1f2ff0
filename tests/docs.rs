//! Compares the documents with the repository: the files and tests that they name exist, and they contain the decisions
//! and attack cases that the code cites.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const DECISIONS: &str = "docs/decisions";
const SECURITY: &str = "docs/security.md";

/// Folders of build products and fetched files.
const BUILT: &[&str] =
    &[".git", ".wrangler", "artifacts", "build", "corpus", "dist", "node_modules", "pkg", "target", "screenshots"];

/// Public data and published definitions, which may be in folders beside a checkout.
const PUBLIC: &[&str] = &["/data", "/definitions"];

/// Folders whose files are named by their paths in documents.
const NAMED: &[&str] =
    &["src/", "tests/", "tools/", "docs/", "migrations/", "sample/", "audit/", "fuzz/", "www/src/", "reading/"];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !BUILT.contains(&name.as_str()) {
                files(&path, found);
            }
        } else if !path.is_symlink() {
            found.push(path);
        }
    }
}

/// Returns the text files below a folder that have one of the endings, each with its path.
fn texts(folder: &str, endings: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    if Path::new(folder).is_dir() {
        files(Path::new(folder), &mut found);
    }
    let named = found.into_iter().filter_map(|path| {
        let name = path.to_string_lossy().trim_start_matches("./").to_owned();
        let wanted = endings.is_empty() || endings.iter().any(|ending| name.ends_with(ending));
        Some((name, if wanted { std::fs::read_to_string(&path).ok()? } else { return None }))
    });
    named.collect()
}

/// Returns the documents at the top of the repository and in `docs/`.
fn documents() -> Vec<(String, String)> {
    let top = std::fs::read_dir(".").unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let top = top.filter(|name| name.ends_with(".md")).map(|name| {
        let text = std::fs::read_to_string(&name).unwrap();
        (name, text)
    });
    top.chain(texts("docs", &[".md"])).collect()
}

/// Returns the texts of code, tests, tables and documents.
fn everything_said() -> impl Iterator<Item = (String, String)> {
    let of =
        |folder: &str| texts(folder, &[".rs", ".mjs", ".js", ".ts", ".sql", ".json", ".tsv", ".md", ".css", ".py"]);
    let folders = ["src", "tests", "tools", "www/src", "reading", "migrations", "audit", "sample", "fuzz"];
    folders.into_iter().flat_map(of).chain(documents())
}

/// Returns the file and the anchor of each decision that a text cites, such as docs/decisions/search.md#strings.
fn cited(text: &str) -> Vec<(&str, &str)> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let after = text.split("decisions/").skip(1).filter_map(|rest| rest.split_once('#'));
    let named = after.filter_map(|(path, rest)| {
        let file = path.strip_suffix(".md").filter(|file| file.chars().all(is_name))?;
        Some((file, rest.split(|c| !is_name(c)).next()?))
    });
    named.collect()
}

#[test]
fn every_decision_that_is_cited_exists() {
    assert_eq!(cited("Strings (docs/decisions/search.md#strings)."), [("search", "strings")]);
    let decided: BTreeMap<_, _> = texts(DECISIONS, &[".md"])
        .into_iter()
        .map(|(name, text)| (Path::new(&name).file_stem().unwrap().to_string_lossy().into_owned(), anchors(&text)))
        .collect();
    let mut wrong = String::new();
    for (name, text) in everything_said() {
        for (file, anchor) in cited(&text) {
            if !decided.get(file).is_some_and(|anchors| anchors.contains(anchor)) {
                writeln!(wrong, "{name} cites {file}.md#{anchor}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn what_is_read_first_stays_short() {
    let lines = |name: &str| std::fs::read_to_string(name).unwrap().lines().count();
    assert!(lines("README.md") <= 120, "the README has {} lines", lines("README.md"));
    let glossary = std::fs::read_to_string("docs/glossary.md").unwrap();
    let terms = glossary.lines().filter(|line| line.starts_with("| ")).count() - 1;
    assert!(terms <= 60, "the glossary has {terms} terms");
    let decisions = texts(DECISIONS, &[".md"]);
    assert!(decisions.len() <= 6, "{DECISIONS} has {} files", decisions.len());
}

/// Returns the ids of attack cases in the prefix of a test's name: `lc02_lc03_a_launch…`, and each of `pj30_to_pj32_…`.
fn cases_of(name: &str) -> Vec<String> {
    let (mut cases, mut last, mut is_range) = (Vec::new(), 0, false);
    for part in name.split(['_', ' ']) {
        let digits = part.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let letters = part.strip_suffix(digits).unwrap_or_default().to_uppercase();
        match digits.parse::<u32>() {
            Ok(number) if (1..=2).contains(&letters.len()) && digits.len() <= 2 => {
                let first = if is_range { last + 1 } else { number };
                cases.extend((first..=number).map(|number| format!("{letters}{number:0width$}", width = digits.len())));
                last = number;
            }
            _ if part != "to" => break,
            _ => {}
        }
        is_range = part == "to";
    }
    cases
}

#[test]
fn each_attack_case_of_the_security_document_has_tests_and_each_that_tests_name_is_in_it() {
    assert_eq!(cases_of("pj08_pj30_to_pj32_an_assertion_can_be_used_once"), ["PJ08", "PJ30", "PJ31", "PJ32"]);
    assert_eq!(cases_of("a4_consent_is_given_by_the_user_who_signed_in_for_it"), ["A4"]);
    assert_eq!(cases_of("es256_is_taken"), Vec::<String>::new());
    let security = std::fs::read_to_string(SECURITY).unwrap();
    let known: BTreeSet<_> = security.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let mut wrong = String::new();
    let mut held = BTreeSet::new();
    for (path, text) in texts("src", &[".rs"]).into_iter().chain(texts("tests", &[".rs", ".mjs"])) {
        let functions = text.split("fn ").skip(1).map(|rest| rest.split('(').next().unwrap_or_default().to_owned());
        let titles =
            text.split("test('").skip(1).map(|rest| rest.split('\'').next().unwrap_or_default().to_lowercase());
        for id in functions.chain(titles).flat_map(|name| cases_of(&name)) {
            if !known.contains(id.as_str()) {
                writeln!(wrong, "{path} has a test for {id}, which {SECURITY} does not name").unwrap();
            }
            held.insert((path.clone(), id));
        }
    }
    for row in security.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<_> = row.trim_matches(['|', ' ']).split(" | ").collect();
        for id in cases_of(&cells[0].to_lowercase()) {
            for file in parted(cells[cells.len() - 1]).1 {
                // Comments may have ids too, and the cases that every store runs name their section.
                let text = std::fs::read_to_string(file).unwrap_or_default();
                let is_there = text.contains(&id) || file.ends_with(".json") && text.contains(SECURITY);
                if !is_there && !held.contains(&(file.to_owned(), id.clone())) {
                    writeln!(wrong, "{file} has no test for {id}").unwrap();
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Returns the lines of a document that are not code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        !fenced && !is_fence && !line.starts_with("    ")
    })
}

/// Returns the line without the parts in backticks, and these parts.
fn parted(line: &str) -> (String, Vec<&str>) {
    let parts: Vec<_> = line.split('`').collect();
    let plain = parts.iter().step_by(2).copied().collect::<Vec<_>>().join("``");
    (plain, parts.into_iter().skip(1).step_by(2).collect())
}

/// Returns the anchors that GitHub generates for the headings of a document.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for line in prose(text).filter(|line| line.starts_with('#')) {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let heading =
            heading.split("](").map(|part| part.split_once(')').map_or(part, |(_, rest)| rest)).collect::<String>();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        let slug: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let mut unique = slug.clone();
        for nth in 1.. {
            if all.insert(unique) {
                break;
            }
            unique = format!("{slug}-{nth}");
        }
    }
    all
}

#[test]
fn every_link_leads_somewhere() {
    assert!(anchors("## A1. What `GET /x` does").contains("a1-what-get-x-does"));
    let mut wrong = String::new();
    for (name, text) in documents() {
        let folder = Path::new(&name).parent().unwrap().to_owned();
        for line in prose(&text) {
            let plain = parted(line).0;
            for target in plain.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                if target.contains("://") || target.starts_with("mailto:") {
                    continue;
                }
                let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
                let path = if path.is_empty() { PathBuf::from(&name) } else { folder.join(path) };
                let there = match std::fs::read_to_string(&path) {
                    Ok(text) => anchor.is_empty() || anchors(&text).contains(anchor),
                    Err(_) => path.exists() && anchor.is_empty(),
                };
                if !there {
                    writeln!(wrong, "{name}: {target}").unwrap();
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_path_that_a_document_names_exists() {
    let mut wrong = String::new();
    for (name, text) in documents() {
        for line in prose(&text) {
            // A command has paths among its words.
            for word in parted(line).1.iter().flat_map(|code| code.split(' ')) {
                let is_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
                let is_named = NAMED.iter().any(|folder| word.starts_with(folder)) && word.chars().all(is_path);
                if is_named && !Path::new(word).exists() {
                    writeln!(wrong, "{name}: {word}").unwrap();
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_document_that_code_names_exists() {
    let of = |folder: &str| texts(folder, &[".rs", ".mjs", ".js", ".ts", ".sql", ".json", ".tsv", ".toml", ".py"]);
    let folders = ["src", "tests", "tools", "www/src", "reading", "migrations", "audit", "sample", "fuzz"];
    let makefile = ("Makefile".to_owned(), std::fs::read_to_string("Makefile").unwrap());
    let mut wrong = String::new();
    for (name, text) in folders.into_iter().flat_map(of).chain([makefile]) {
        // A name in quotes is a file that the code opens or writes.
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "/._-'\"".contains(c)));
        let words = words.map(|word| word.trim_end_matches('.'));
        for document in words.filter(|word| word.ends_with(".md") && word.len() > ".md".len()) {
            let sibling = Path::new(&name).parent().unwrap().join(document);
            if !Path::new(document).exists() && !sibling.exists() {
                writeln!(wrong, "{name}: {document}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn nothing_outside_the_repository_is_needed_but_public_data() {
    let mut wrong = String::new();
    for (name, text) in texts(".", &[]) {
        for (at, line) in text.lines().enumerate() {
            if line
                .split(concat!("../", "shared"))
                .skip(1)
                .any(|rest| !PUBLIC.iter().any(|public| rest.starts_with(public)))
            {
                writeln!(wrong, "{name}, line {}: {}", at + 1, line.trim()).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn the_commands_that_are_promised_are_there() {
    let makefile = std::fs::read_to_string("Makefile").unwrap();
    for target in ["dev", "serve", "test", "load", "bench", "deploy"] {
        assert!(makefile.lines().any(|line| line.starts_with(&format!("{target}:"))), "make {target}");
    }
    for variable in ["PORT", "STORE", "DATA", "APPS", "STATE", "TARGET", "DRY_RUN"] {
        assert!(makefile.contains(&format!("$({variable})")), "{variable}");
    }
}
