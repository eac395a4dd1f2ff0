//! RF19: after a database fault in the middle of a step, the step can be repeated, or leaves nothing behind.

use super::{code, exchange, request, text};
use crate::world::{Fault, World};

/// Returns each kind of fault, in each batch of a step.
fn faults() -> impl Iterator<Item = Fault> {
    (0..12).flat_map(|at| [Fault::Before(at), Fault::After(at)])
}

#[test]
fn a_code_survives_a_fault_or_ends_and_is_never_exchanged_twice() {
    let mut failed = 0;
    for fault in faults() {
        let world = World::new();
        let code = code(&world, &request(&[]));
        world.fault.set(Some(fault));
        let first = exchange(&world, &code, &[]);
        if world.fault.take().is_some() {
            assert_eq!(first.status, 200, "there was nothing left to fail");
            continue;
        }
        failed += 1;
        assert_eq!((first.status, first.error().as_str()), (500, "server_error"), "{fault:?}");
        let second = exchange(&world, &code, &[]);
        let live = world.count(
            "SELECT count(*) FROM single_use_tokens v JOIN grants g ON g.id = v.grant_id WHERE v.kind = 'refresh' \
                                AND v.redeemed_by IS NULL AND g.revoked_at IS NULL",
        );
        assert_eq!(live, i64::from(second.status == 200), "{fault:?}");
        assert!(second.status == 200 || second.error() == "invalid_grant", "{fault:?} {}", second.text);
    }
    assert!(failed >= 4, "{failed}");
}

#[test]
fn a_refresh_token_survives_a_fault_or_its_authorization_ends() {
    let mut survived = 0;
    for fault in faults() {
        let world = World::new();
        let tokens = exchange(&world, &code(&world, &request(&[])), &[]);
        let token = text(&tokens, "refresh_token");
        let refresh = || world.token(&[], &[("grant_type", "refresh_token"), ("refresh_token", &token)]);
        world.fault.set(Some(fault));
        let first = refresh();
        if world.fault.take().is_some() {
            assert_eq!(first.status, 200);
            continue;
        }
        assert_eq!(first.error(), "server_error", "{fault:?}");
        let second = refresh();
        survived += i32::from(second.status == 200);
        let live = world.count(
            "SELECT count(*) FROM single_use_tokens v JOIN grants g ON g.id = v.grant_id WHERE v.kind = 'refresh' \
                                AND v.redeemed_by IS NULL AND g.revoked_at IS NULL",
        );
        assert_eq!(live, i64::from(second.status == 200), "{fault:?}");
    }
    assert!(survived >= 2, "{survived}");
}

#[test]
fn a_failed_step_can_be_repeated() {
    for fault in faults() {
        let world = World::new();
        let browser = world.browser();
        let page = browser.authorize(&request(&[]));
        world.fault.set(Some(fault));
        let mut consent = browser.login(&page, "pa");
        if world.fault.take().is_none() {
            assert_eq!((consent.status, consent.location()), (500, None), "{fault:?}");
            consent = browser.login(&page, "pa");
        }
        assert_eq!(consent.status, 200, "{fault:?} {}", consent.text);
        world.fault.set(Some(fault));
        let mut done = browser.allow(&consent);
        if world.fault.take().is_none() {
            assert_eq!((done.status, done.location()), (500, None), "{fault:?}");
            done = browser.allow(&consent);
        }
        // If only the answer was lost, the unknown code expires, and the pending authorization has ended.
        let codes = world.count("SELECT count(*) FROM single_use_tokens");
        assert_eq!(codes, 1, "{fault:?}");
        assert!(
            done.status == 303 || (done.status == 400 && matches!(fault, Fault::After(_))),
            "{fault:?} {}",
            done.status
        );
    }
}

#[test]
fn errors_of_the_database_are_not_disclosed_to_apps() {
    let world = World::new();
    world.fault.set(Some(Fault::Before(0)));
    let page = world.browser().authorize(&request(&[]));
    assert_eq!(page.status, 500);
    assert!(!page.text.contains("database"), "{}", page.text);
}

#[test]
fn a_missing_table_makes_the_server_not_ready() {
    let world = World::new();
    let list = "SELECT group_concat(name) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    let names: String = world.connection.borrow().query_row(list, [], |row| row.get(0)).unwrap();
    assert!(names.split(',').count() >= 16, "{names}");
    assert_eq!(world.ask("GET", "/readyz", &[], "").status, 200);
    for name in names.split(',') {
        world.execute(&format!("ALTER TABLE {name} RENAME TO gone"));
        let answer = world.ask("GET", "/readyz", &[], "");
        assert_eq!((answer.status, answer.json()["status"].as_str()), (503, Some("fail")), "{name}");
        assert!(answer.detail.is_some() && !answer.text.contains(name), "{name}: {}", answer.text);
        assert_eq!(world.ask("GET", "/healthz", &[], "").status, 200);
        world.execute(&format!("ALTER TABLE gone RENAME TO {name}"));
    }
    world.execute("ALTER TABLE alias RENAME TO gone; ALTER TABLE access RENAME TO away");
    let detail = world.ask("GET", "/readyz", &[], "").detail.unwrap();
    assert_eq!(detail, "records: tables are missing: alias; authorization: tables are missing: access");
}

#[test]
fn a_database_that_cannot_be_written_makes_the_server_not_ready() {
    let world = World::new();
    // A full database refuses new rows, but answers everything else.
    let full = "CREATE TRIGGER full BEFORE INSERT ON spent_assertions \
                BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END";
    for (change, status) in [(full, 503), ("DROP TRIGGER full", 200)] {
        world.execute(change);
        let answer = world.ask("GET", "/readyz", &[], "");
        assert_eq!(answer.status, status, "{}", answer.text);
        let word = answer.json()["checks"]["authorization"][0]["status"].clone();
        assert_eq!(word, if status == 200 { "pass" } else { "fail" });
        assert_eq!(answer.json()["checks"]["records"][0]["status"], "pass");
    }
}

#[test]
fn the_records_and_the_authorization_server_fail_each_by_itself() {
    let world = World::new();
    let state = |world: &World| {
        let answer = world.ask("GET", "/readyz", &[], "");
        let checks = answer.json()["checks"].clone();
        let word = |name: &str| checks[name][0]["status"].as_str().unwrap_or("none").to_owned();
        (answer.status, ["records", "authorization", "configuration", "files"].map(word))
    };
    let words = |words: [&str; 4]| words.map(str::to_owned);
    assert_eq!(state(&world), (200, words(["pass", "pass", "pass", "none"])));
    world.fault.set(Some(Fault::Before(0)));
    assert_eq!(state(&world), (503, words(["pass", "fail", "pass", "none"])));
    world.execute("UPDATE format SET number = 'of long ago'");
    assert_eq!(state(&world), (503, words(["fail", "pass", "pass", "none"])));
}
