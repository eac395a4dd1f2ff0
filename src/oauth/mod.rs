//! Handshakes: who a client is, and the tokens that it gets. Times and randomness come in with each call; keys and rows
//! are somebody else's to keep.
//!
//! A token goes from [`Presented`] to [`Verified`]: no claim can be read before the signature and the times were checked.
//! Not here: what a scope opens (`smart`), and HTTP (`api`).

mod about;
mod assertion;
mod authorize;
mod checks;
mod client;
mod client_auth;
mod crypto;
mod documents;
mod error;
mod guard;
mod id_token;
mod introspect;
mod jws;
mod jwt;
mod key_set;
mod launch;
mod ledger;
pub mod password;
mod registration;
mod revoke;
mod secret;
mod service;
mod signin;
mod token;
#[cfg(test)]
pub mod trial;
mod trusted;

pub use about::{About, Noted};
pub use assertion::{ASSERTION_ALGORITHMS, ASSERTION_TYPE};
pub use authorize::{AuthorizationRequest, Denial, DenialCode, Refusal, VerifiedRedirect};
pub use checks::{Check, Expected, TokenKind, checks};
pub use client::{Client, ClientKind, GrantKind};
pub use client_auth::{Credentials, authenticate, basic};
pub use crypto::{Algorithm, Crypto, CryptoError};
pub use documents::{Documents, Fetch, FetchError, Fetched, Source};
pub use error::{LedgerError, OAuthError, OAuthErrorCode};
pub use guard::{Guard, Guess, Secret, Window};
pub use id_token::{IdClaims, issue};
pub use jwt::{AccessClaims, KeyError, Keys, Presented, TokenFault, Verified};
pub use key_set::{KeyFault, KeySet};
pub use launch::{LaunchRequest, Launched, launch};
pub use ledger::{
    AppAccess, Attempt, GrantRow, Interaction, Launch, Ledger, Roster, SESSION_IDLE, SESSION_LIFE, Session, Successor,
    Tally, User, Voucher, VoucherKind,
};
pub use registration::{RegistrationError, SHORTEST_SECRET};
pub use secret::{Pepper, SANDBOX_MARK, hashed, is_of_playground, same, token_of};
pub use service::{TokenRequest, TokenService};
pub use signin::{
    ConsentPage, Cookie, DEVICE_LIFE, Fields, MOST_DEVICES, ManagePage, Marks, Next, PatientCard, Patients, PickPage,
    SignIn, SignInPage, SignOutPage, Step, Stop, Trouble, Turn, Visitor, Wanted, is_context,
};
pub use token::Issued;
pub use trusted::{TrustFault, TrustedIssuer, verify_trusted};
