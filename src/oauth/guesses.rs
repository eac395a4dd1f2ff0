//! Protection against replays and guesses.
//!
//! A guess is counted and checked in one statement. So many guesses at once are limited as if they came one after the
//! other. A right guess costs no write. Guesses are counted by target and network, so that nobody can lock
//! out somebody else, and with a higher limit by network alone.

use super::error::{AuthStoreError, OAuthError, OAuthErrorCode};
use super::secret::hashed;

/// The state behind the protection from replay and guessing.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Guard {
    /// Redeems the identifier of a client's assertion, which is remembered until `until`. Returns `false` if it was
    /// redeemed before.
    ///
    /// # Errors
    /// If the storage does not answer.
    async fn redeem_assertion(&self, client: &str, jti: &str, until: i64) -> Result<bool, AuthStoreError>;

    /// Returns the wrong guesses before this one, for each of its names that has a window which has not ended. Counts
    /// this guess too, unless it is right. A window that begins with it ends at `until`.
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

/// The wrong guesses within a time window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailureWindow {
    /// The number of wrong guesses.
    pub count: u32,
    /// The end of the window, in seconds since 1970.
    pub until: i64,
}

/// The secrets that can be guessed, apart from passwords, whose guesses the auth store counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secret {
    /// A client secret.
    ClientSecret,
    /// An assertion that no key of the client has signed. It is counted when that is known.
    Assertion,
    /// A refresh token at the introspection endpoint (RFC 7662, section 4). An access token is not one: its signature
    /// cannot be guessed.
    Token,
}

impl Secret {
    /// The number of wrong guesses that are allowed in a window.
    const fn most(self) -> u32 {
        match self {
            Self::ClientSecret | Self::Assertion => 40,
            Self::Token => 420,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::ClientSecret => "secret",
            Self::Assertion => "assertion",
            Self::Token => "token",
        }
    }
}

/// The length of a window, in seconds.
const WINDOW: i64 = 300;
/// The limit of a network, as a multiple of the limit of one client: several clients may share a network.
const NETWORK_FACTOR: u32 = 10;

/// A guess at a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    /// The kind of the secret.
    pub secret: Secret,
    /// The client whose secret is guessed, or that asks about the token.
    pub client: String,
    /// The hash of the presented value.
    pub presented: String,
    /// The names of its two counters: of client and network, and of the network. They are hashes.
    pub names: [String; 2],
}

impl Guess {
    /// Describes a guess with the value `presented` from a network.
    #[must_use]
    pub fn new(secret: Secret, client: &str, presented: &str, network: &str) -> Self {
        let kind = secret.name();
        Self {
            secret,
            client: client.to_owned(),
            presented: hashed(presented),
            names: [hashed(&format!("{kind}\n{network}\n{client}")), hashed(&format!("{kind}\n{network}"))],
        }
    }

    /// Counts the guess unless it is right, and checks that it is within the limits.
    ///
    /// # Errors
    /// If there were too many wrong guesses before it. A right one has to wait too.
    pub async fn admit<G: Guard>(&self, guard: &G, now: i64) -> Result<(), OAuthError> {
        let windows = guard.count_if_wrong(self, now, now.saturating_add(WINDOW)).await?;
        let limits = [self.secret.most(), self.secret.most().saturating_mul(NETWORK_FACTOR)];
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
