//! Protection against replays, guesses and floods of calls.
//!
//! A guess is counted and checked in one statement. So simultaneous guesses are limited like sequential ones. A correct
//! guess costs no write. Guesses are counted by target and network, so that nobody can lock out somebody else, and with
//! a higher limit by network only.

use super::error::{AuthStoreError, OAuthError, OAuthErrorCode};
use super::secret::hashed;

/// The storage port for the protection from replay and guessing.
pub trait Guard {
    /// Redeems the identifier of a client's assertion, which is stored until `until`. Returns `false` if it was already
    /// redeemed.
    async fn redeem_assertion(&self, client: &str, jti: &str, until: i64) -> Result<bool, AuthStoreError>;

    /// Returns the number of earlier wrong guesses for each name of this guess with an open window. Also counts this
    /// guess, unless it is correct. A window that begins with this guess ends at `until`.
    async fn count_if_wrong(
        &self,
        guess: &Guess,
        now: i64,
        until: i64,
    ) -> Result<[Option<FailureWindow>; 2], AuthStoreError>;

    /// Counts a call under a name, which is a hash, and returns the number of calls so far. It is forgotten at `until`.
    async fn count_call(&self, name: &str, until: i64) -> Result<u32, AuthStoreError>;
}

/// The wrong guesses within a time window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailureWindow {
    /// The number of wrong guesses.
    pub count: u32,
    /// The end of the window, in seconds since 1970.
    pub until: i64,
}

/// The secrets that can be guessed. Guesses of passwords are counted by the auth store instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secret {
    /// A client secret.
    ClientSecret,
    /// An assertion that was not signed with a key of the client. It is counted once that is known.
    Assertion,
    /// A refresh token at the introspection endpoint (RFC 7662, section 4). Access tokens are not included, since their
    /// signature cannot be guessed.
    Token,
}

impl Secret {
    /// Returns the number of wrong guesses that are allowed in a window.
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
/// The limit for a network, as a multiple of the limit for a client: several clients may share a network.
const NETWORK_FACTOR: u32 = 10;

/// A guess at a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    /// The kind of the secret.
    pub secret: Secret,
    /// The client whose secret is guessed, or that inquires about the token.
    pub client: String,
    /// The hash of the presented value.
    pub presented: String,
    /// The names of the two counters: one for client and network, one for the network. They are hashes.
    pub names: [String; 2],
}

impl Guess {
    /// Creates a guess with the value `presented` from a network.
    pub fn new(secret: Secret, client: &str, presented: &str, network: &str) -> Self {
        let kind = secret.name();
        Self {
            secret,
            client: client.to_owned(),
            presented: hashed(presented),
            names: [hashed(&format!("{kind}\n{network}\n{client}")), hashed(&format!("{kind}\n{network}"))],
        }
    }

    /// Counts the guess unless it is correct, and checks that it is within the limits.
    ///
    /// # Errors
    /// If there were too many wrong guesses before. Even a correct guess then has to wait.
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
