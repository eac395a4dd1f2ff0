//! Protection against replays and guesses.
//!
//! A guess is counted and checked in one statement, so of many guesses at once none is free that would not be free one
//! after the other. A right guess costs no write. Guesses are counted by target and network, so that nobody can lock
//! out somebody else, and with a higher limit by network alone.

use super::error::{AuthStoreError, OAuthError, OAuthErrorCode};
use super::secret::hashed;

/// What protection remembers.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Guard {
    /// Spends the identifier of a client's assertion. `false` where it was spent before.
    ///
    /// # Errors
    /// If the storage does not answer.
    async fn spend_assertion(&self, client: &str, jti: &str, until: i64) -> Result<bool, AuthStoreError>;

    /// The wrong guesses before this one under its names, where there are any in a window that has not ended; this one is
    /// counted too, unless it is right. A window that begins with it ends at `until`.
    ///
    /// # Errors
    /// If the storage does not answer.
    async fn count_if_wrong(
        &self,
        guess: &Guess,
        now: i64,
        until: i64,
    ) -> Result<[Option<FailureWindow>; 2], AuthStoreError>;
}

/// Wrong guesses in a span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailureWindow {
    /// How many.
    pub count: u32,
    /// When it ends, in seconds since 1970.
    pub until: i64,
}

/// What can be guessed, beside passwords, whose guesses the auth store counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secret {
    /// A client's secret.
    ClientSecret,
    /// A token, by asking what it is (RFC 7662, section 4): a refresh token. Who made up our signature has not guessed.
    Token,
}

impl Secret {
    /// Wrong guesses that are let through in a window.
    const fn most(self) -> u32 {
        match self {
            Self::ClientSecret => 40,
            Self::Token => 420,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::ClientSecret => "secret",
            Self::Token => "token",
        }
    }
}

/// How long a window is, in seconds.
const WINDOW: i64 = 300;
/// From one place, more people may err than one: so many times what one may.
const PATIENCE: u32 = 10;

/// A guess: at what, by which client, and from where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    /// At what.
    pub secret: Secret,
    /// The client that it is at, or that makes it.
    pub client: String,
    /// The hash of what was shown.
    pub shown: String,
    /// What it is counted under. What is kept of client and network address is a hash.
    pub names: [String; 2],
}

impl Guess {
    /// That one, from a network address.
    #[must_use]
    pub fn new(secret: Secret, client: &str, shown: &str, from: &str) -> Self {
        let kind = secret.name();
        Self {
            secret,
            client: client.to_owned(),
            shown: hashed(shown),
            names: [hashed(&format!("{kind}\n{from}\n{client}")), hashed(&format!("{kind}\n{from}"))],
        }
    }

    /// Whether it is looked at.
    ///
    /// # Errors
    /// If there were too many wrong ones before it: then also a right one has to wait.
    pub async fn admit<G: Guard>(&self, guard: &G, now: i64) -> Result<(), OAuthError> {
        let windows = guard.count_if_wrong(self, now, now.saturating_add(WINDOW)).await?;
        let limits = [self.secret.most(), self.secret.most().saturating_mul(PATIENCE)];
        let over =
            windows.into_iter().zip(limits).find_map(|(window, most)| window.filter(|known| known.count >= most));
        match over {
            None => Ok(()),
            Some(window) => Err(OAuthError {
                retry_after: Some(window.until.saturating_sub(now).max(1)),
                ..OAuthError::new(
                    OAuthErrorCode::TooManyRequests,
                    "there were too many wrong attempts; try again later",
                )
            }),
        }
    }
}

#[cfg(test)]
#[cfg(feature = "cli")]
mod tests {
    use super::*;
    use crate::oauth::testing::{Server, now};
    use serde_json::json;

    fn server() -> Server {
        Server::with(
            &json!([{"client_id": "app", "kind": "backend", "secret": "right-secret", "scopes": "system/*.read"}]),
        )
    }

    #[test]
    fn ba18_too_many_wrong_guesses_must_wait_but_not_from_elsewhere() {
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
    fn ba18_guesses_at_many_from_one_place_end_too() {
        let guard = server().auth_store;
        let tries = (0..).map(|at| Guess::new(Secret::ClientSecret, &format!("app-{at}"), "right-secret", "192.0.2.1"));
        assert_eq!(tries.take_while(|guess| now(guess.admit(&guard, 1_000)).is_ok()).count(), 400);
    }
}
