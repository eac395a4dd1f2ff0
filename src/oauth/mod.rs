//! Handshakes: who a client is, and the tokens that it gets. Times and randomness come in with each call; keys and rows
//! are somebody else's to keep.
//!
//! A token goes from [`Presented`] to [`Verified`]: no claim can be read before the signature and the times were checked.
//! Not here: what a scope opens (`smart`), and HTTP (`api`).

mod assertion;
mod client;
mod client_auth;
mod crypto;
mod documents;
mod error;
mod guard;
mod id_token;
mod jws;
mod jwt;
mod key_set;
mod ledger;
mod registration;
mod secret;
mod token;
#[cfg(test)]
pub mod trial;
mod trusted;

pub use assertion::{ASSERTION_ALGORITHMS, ASSERTION_TYPE};
pub use client::{Client, ClientKind, GrantKind};
pub use client_auth::{Credentials, authenticate, basic};
pub use crypto::{Algorithm, Crypto, CryptoError};
pub use documents::{Documents, Fetch, FetchError, Fetched};
pub use error::{OAuthError, OAuthErrorCode};
pub use guard::{Guard, Guess, Secret, Window};
pub use id_token::{IdClaims, issue};
pub use jwt::{AccessClaims, KeyError, Keys, Presented, TokenFault, Verified};
pub use key_set::{KeyFault, KeySet};
pub use ledger::{GrantRow, Ledger, LedgerError};
pub use registration::RegistrationError;
pub use secret::{SANDBOX_MARK, hashed, is_of_playground, same, token_of};
pub use token::{Issued, TokenRequest, TokenService};
pub use trusted::{TrustFault, TrustedIssuer, verify_trusted};
