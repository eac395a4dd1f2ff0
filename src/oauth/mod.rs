//! Handshakes: who a client is, and the tokens that it gets. Times and randomness come in with each call; keys and rows
//! are somebody else's to keep.
//!
//! A token goes from [`Presented`] to [`Verified`]: no claim can be read before the signature and the times were checked.
//! Not here: what a scope opens (`smart`), and HTTP (`api`).

mod checks;
mod client;
mod client_auth;
mod error;
mod jwt;
mod ledger;
mod secret;
mod token;

pub use checks::{Check, Expected, TokenKind, checks};
pub use client::{Client, ClientKind, GrantKind};
pub use client_auth::{Credentials, basic};
pub use error::{OAuthError, OAuthErrorCode};
pub use jwt::{AccessClaims, KeyError, Keys, Presented, TokenFault, Verified};
pub use ledger::{GrantRow, Ledger, LedgerError};
pub use secret::{hashed, same, token_of};
pub use token::{Issued, TokenRequest, TokenService};
