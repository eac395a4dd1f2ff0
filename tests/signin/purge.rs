//! The purge when it has not run for a week: it catches up run by run, while people sign in.

use super::{code, exchange, request};
use crate::world::World;

/// The maximum number of rows that one run deletes.
const MAX: i64 = 40 * 2_000;
/// The number of sign-ins that were left unfinished in a week: twenty a minute.
const UNFINISHED: i64 = 7 * 24 * 60 * 20;

#[test]
fn dl12_a_purge_that_is_a_week_behind_catches_up_while_people_sign_in() {
    let world = World::new();
    let pending = || world.count("SELECT count(*) FROM pending_authorizations WHERE id LIKE 'w%'");
    world.execute(&format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {UNFINISHED}) \
         INSERT INTO pending_authorizations (id, visit, request, expires_at) SELECT 'w' || i, '', '', {} - i * 3 FROM n",
        world.clock.get()
    ));
    let (mut runs, mut left) = (0, pending());
    assert_eq!(left, UNFINISHED);
    loop {
        runs += 1;
        let is_done = world.purge();
        let now_left = pending();
        assert!(left - now_left <= MAX, "a run has deleted {}", left - now_left);
        assert_eq!(is_done, now_left == 0);
        let tokens = exchange(&world, &code(&world, &request(&[])), &[]);
        assert_eq!(tokens.status, 200, "a sign-in after run {runs}");
        left = now_left;
        if is_done {
            break;
        }
        assert!(runs < 10, "{left} rows are left");
        world.pass(600);
    }
    // Each run's first batch also has the statements for tables without expired rows.
    assert!((2..=4).contains(&runs), "{runs}");
}
