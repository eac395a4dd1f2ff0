//! What keeps replays and guesses out. It must be remembered, and the same D1 does so that keeps the ledger; a guess costs
//! a write only where it was wrong.
//!
//! Guesses are counted by who is guessed at and from where, so that nobody can lock out somebody else; and, with more
//! patience, by from where alone.

use super::error::{OAuthError, OAuthErrorCode};
use super::ledger::LedgerError;
use super::secret::hashed;

/// What protection remembers.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Guard {
    /// Spends the identifier of a client's assertion. `false` where it was spent before.
    ///
    /// # Errors
    /// Where the storage does not answer.
    async fn spend_assertion(&self, client: &str, jti: &str, until: i64) -> Result<bool, LedgerError>;

    /// The wrong guesses under these names, where there are any in a window that has not ended.
    ///
    /// # Errors
    /// Where the storage does not answer.
    async fn wrong_guesses(&self, names: [&str; 2], now: i64) -> Result<[Option<Window>; 2], LedgerError>;

    /// Counts a wrong guess under each of these names; a window that begins with it ends at `until`.
    ///
    /// # Errors
    /// Where the storage does not answer.
    async fn count_wrong_guess(&self, names: [&str; 2], now: i64, until: i64) -> Result<(), LedgerError>;
}

/// Wrong guesses in a span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// How many.
    pub count: u32,
    /// When it ends, in seconds since 1970.
    pub until: i64,
}

/// What can be guessed, beside passwords, whose guesses the ledger counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secret {
    /// A client's secret.
    ClientSecret,
    /// A token, by asking what it is (RFC 7662, section 4).
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

/// A guess: at what, of whom, and from where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    secret: Secret,
    names: [String; 2],
}

impl Guess {
    /// A guess at a secret of `whom`, from a network address. What is kept of both is a hash.
    #[must_use]
    pub fn new(secret: Secret, whom: &str, from: &str) -> Self {
        let kind = secret.name();
        Self { secret, names: [hashed(&format!("{kind}\n{from}\n{whom}")), hashed(&format!("{kind}\n{from}"))] }
    }

    fn names(&self) -> [&str; 2] {
        self.names.each_ref().map(String::as_str)
    }

    /// Whether one more is let through.
    ///
    /// # Errors
    /// Where there were too many wrong ones: then also a right one has to wait.
    pub async fn admit<G: Guard>(&self, guard: &G, now: i64) -> Result<(), OAuthError> {
        let windows = guard.wrong_guesses(self.names(), now).await?;
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

    /// Counts it as a wrong one.
    ///
    /// # Errors
    /// Where the storage does not answer.
    pub async fn was_wrong<G: Guard>(&self, guard: &G, now: i64) -> Result<(), OAuthError> {
        Ok(guard.count_wrong_guess(self.names(), now, now.saturating_add(WINDOW)).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oauth::trial::{MemoryGuard, now};

    #[test]
    fn ba18_too_many_wrong_guesses_must_wait_but_not_from_elsewhere() {
        let guard = MemoryGuard::default();
        let guess = Guess::new(Secret::ClientSecret, "app", "192.0.2.1");
        for _ in 0..40 {
            now(guess.admit(&guard, 1_000)).unwrap();
            now(guess.was_wrong(&guard, 1_000)).unwrap();
        }
        let refused = now(guess.admit(&guard, 1_100)).unwrap_err();
        assert_eq!((refused.code.status(), refused.retry_after), (429, Some(200)));
        assert!(now(Guess::new(Secret::ClientSecret, "app", "192.0.2.2").admit(&guard, 1_100)).is_ok());
        assert!(now(Guess::new(Secret::ClientSecret, "other", "192.0.2.1").admit(&guard, 1_100)).is_ok());
        assert!(now(Guess::new(Secret::Token, "app", "192.0.2.1").admit(&guard, 1_100)).is_ok());
        assert!(now(guess.admit(&guard, 1_300)).is_ok(), "a window ends");
    }

    #[test]
    fn guesses_at_many_from_one_place_end_too() {
        let guard = MemoryGuard::default();
        let tries = (0..).map(|at| Guess::new(Secret::ClientSecret, &format!("app-{at}"), "192.0.2.1"));
        let admitted = tries.take_while(|guess| {
            let admitted = now(guess.admit(&guard, 1_000)).is_ok();
            now(guess.was_wrong(&guard, 1_000)).unwrap();
            admitted
        });
        assert_eq!(admitted.count(), 400);
    }
}
