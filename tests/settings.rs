//! Compares the settings of deployments with the code: their variables, and the paths that the Worker answers.

use std::fs::read_to_string;

use api::Variables;

/// Returns the names of the variables that a file of settings sets.
fn variables_of(file: &str) -> Vec<String> {
    let text = read_to_string(file).unwrap();
    let sections = text.split("\n[").filter(|section| section.split(']').next().unwrap().ends_with("vars"));
    let names = sections.flat_map(str::lines).filter_map(|line| line.split_once(" = "));
    names.map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn each_variable_that_settings_name_is_known() {
    for (file, least) in [("wrangler.toml", 7), ("deployments.toml", 8)] {
        let names = variables_of(file);
        assert!(names.len() >= least, "{file}: {names:?}");
        for name in names {
            assert!(Variables::DEFAULTS.iter().any(|(known, _)| *known == name), "{file}: {name}");
        }
    }
}

#[test]
fn the_document_has_each_variable_and_its_default() {
    let text = read_to_string("docs/operations.md").unwrap();
    let rows = text.split("| variable | default | what it is |\n").nth(1).unwrap().lines().skip(1);
    let rows = rows.take_while(|line| line.starts_with('|')).map(|line| line.split('|').skip(1).take(2));
    let documented: Vec<Vec<_>> = rows.map(|cells| cells.map(|cell| cell.trim().trim_matches('`')).collect()).collect();
    let known: Vec<_> = Variables::DEFAULTS.iter().map(|(name, default)| vec![*name, *default]).collect();
    assert_eq!(documented, known);
}

#[test]
fn the_worker_answers_every_path_before_the_files_of_the_app() {
    let settings = read_to_string("wrangler.toml").unwrap();
    let line = settings.lines().find(|line| line.starts_with("run_worker_first")).unwrap();
    let patterns: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
    let is_first = |path: &str| {
        patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
            Some(start) => path.starts_with(start),
            None => path == *pattern,
        })
    };
    for api::Route { path, .. } in api::Route::all() {
        assert!(is_first(path), "{path} is not in run_worker_first");
    }
    for pattern in patterns {
        let start = pattern.trim_end_matches(['*', '/']);
        assert!(api::Route::all().any(|row| row.path.starts_with(start)), "{pattern} is of no route");
    }
}
