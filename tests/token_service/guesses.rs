//! Wrong guesses are delayed.

use super::Server;
use oauth::{Guess, Secret};
use serde_json::json;
use sqlite::now;

fn server() -> Server {
    Server::with(&json!([{"client_id": "app", "kind": "backend", "secret": "right-secret", "scopes": "system/*.read"}]))
}

#[test]
fn ba18_too_many_wrong_guesses_are_delayed_for_their_address_only() {
    let guard = server().auth_store;
    let guess = Guess::new(Secret::ClientSecret, "app", "wrong", "192.0.2.1");
    let right = Guess::new(Secret::ClientSecret, "app", "right-secret", "192.0.2.1");
    for _ in 0..40 {
        now(right.admit(&guard, 1_000)).unwrap();
        now(guess.admit(&guard, 1_000)).unwrap();
    }
    for late in [&guess, &right] {
        let refused = now(late.admit(&guard, 1_100)).unwrap_err();
        assert_eq!((refused.code.status(), refused.retry_after), (429, Some(200)));
    }
    assert!(now(Guess::new(Secret::ClientSecret, "app", "x", "192.0.2.2").admit(&guard, 1_100)).is_ok());
    assert!(now(Guess::new(Secret::ClientSecret, "other", "x", "192.0.2.1").admit(&guard, 1_100)).is_ok());
    assert!(now(Guess::new(Secret::Token, "app", "x", "192.0.2.1").admit(&guard, 1_100)).is_ok());
    assert!(now(guess.admit(&guard, 1_300)).is_ok(), "a window ends");
}

#[test]
fn ba18_guesses_at_many_clients_from_one_address_are_limited() {
    let guard = server().auth_store;
    let tries = (0..).map(|at| Guess::new(Secret::ClientSecret, &format!("app-{at}"), "right-secret", "192.0.2.1"));
    assert_eq!(tries.take_while(|guess| now(guess.admit(&guard, 1_000)).is_ok()).count(), 400);
}
