//! The limit of a search for resources that have a value (`:missing=false`), since these are looked at one by one.

use crate::support::{Access, Guarded, index, limited, loaded, now, over_sqlite, tempfile};
use fhir::ResourceType as T;
use native::SqliteDatabase;
use search::{Handling, ParamId, parse};
use serde_json::json;
use smart::{Grant, ScopeSet};
use store::{SqlStore, Store, StoreError};

/// Returns a store of three practitioners with a name. After the second follow this many candidates without data.
fn crowd(candidates: u32) -> Guarded<SqlStore<'static, SqliteDatabase, SqliteDatabase>> {
    let people = ["0", "1", "2"].map(|id| {
        json!({"resourceType": "Practitioner", "id": id, "name": [{"family": "Lind"}],
            "meta": {"lastUpdated": format!("202{id}-01-01T00:00:00Z")}})
    });
    // The file of the loaded records is removed, so that its database can only be read.
    let file = tempfile();
    loaded(&index(&people), &Access::new()).execute("VACUUM INTO ?1", [file.to_str()]).unwrap();
    let records = limited(&file);
    let everything = ParamId::everything(T::Practitioner).number();
    let second = "SELECT sort FROM fact WHERE param = ?1 ORDER BY sort LIMIT 1 OFFSET 1";
    let second: String = records.query_row(second, [everything], |row| row.get(0)).unwrap();
    let text = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?3)
        INSERT INTO fact (param, value, sort, rest) SELECT ?1, '', ?2 || n, '' FROM n";
    records.execute(text, rusqlite::params![everything, second, candidates]).unwrap();
    std::fs::remove_file(&file).unwrap();
    over_sqlite(records, &Access::new())
}

#[test]
fn a_search_for_what_is_there_looks_at_so_many_resources_and_no_more() {
    let all = Grant { client: "app".into(), scopes: ScopeSet::parse("system/*.rs").unwrap(), ..Grant::default() };
    let asked = |parameters: &[(&str, &str)]| {
        let parameters: Vec<_> = parameters.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        all.narrow(parse(T::Practitioner, &parameters, Handling::Strict, "").unwrap(), None).unwrap()
    };
    let there = ("name:missing", "false");
    for (candidates, is_too_costly) in [(19_997, false), (19_998, true)] {
        let store = crowd(candidates);
        let answer = |parameters: &[(&str, &str)]| now(store.search(&asked(parameters), None));
        // A page of one is full with the second practitioner, which shows that there are more.
        assert!(answer(&[there, ("_count", "1")]).is_ok());
        for shape in [
            ("_count", "2"),
            ("_total", "accurate"),
            ("_summary", "count"),
            ("_sort", "_lastUpdated"),
            ("_sort", "name"),
        ] {
            match answer(&[there, shape]) {
                Ok(page) => assert!(!is_too_costly && page.total.is_none_or(|total| total == 3), "{shape:?}"),
                Err(error) => assert!(is_too_costly && error == StoreError::TooCostly, "{shape:?}: {error:?}"),
            }
        }
        // An order that rows do not have needs all matches. Most of these have no text, which counts as damage.
        let gathered = answer(&[("_sort", "-name"), ("_count", "1")]).unwrap_err();
        assert_eq!(gathered == StoreError::TooCostly, is_too_costly, "{gathered:?}");
        // A search for a value is not limited.
        assert!(answer(&[("name", "lind"), there]).is_ok());
        assert!(answer(&[("_count", "1")]).is_ok());
    }
}
