//! Authorization: clients, tokens, and signing in. Time and random bytes are arguments; traits provide keys and state.
//!
//! A token is first an [`UnverifiedToken`], then [`Verified`]. So no claim can be read before the signature and the
//! times have been checked. The meaning of scopes is in `smart`, and HTTP is in `api`.

mod access_token;
mod agents;
mod assertion;
mod auth_store;
mod authorize;
mod client;
mod client_auth;
mod crypto;
mod documents;
mod error;
mod event;
mod grant_type;
mod guesses;
mod health_link;
mod id_token;
mod identity_provider;
mod introspect;
mod jws;
mod jwt_policy;
mod key_set;
mod launch;
pub mod password;
mod registration;
mod request_fault;
mod revoke;
mod secret;
mod service;
mod signin;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod token;
mod token_explanation;
mod trusted;
mod webauthn;

pub use access_token::{AccessClaims, EXAMPLE_KEY, SigningKeys, TokenFault, UnverifiedToken, Verified};
pub use agents::{AGENT_SCOPE, AdmittedAgents, Agents, Resource, could_get};
pub use assertion::ASSERTION_TYPE;
pub use auth_store::{
    AccessListPage, AppAccess, AttemptKind, AuthStore, Exchange, GrantRow, Launch, LaunchContext, MAX_PASSKEYS,
    NextRefreshToken, Passkey, PasswordAttempt, PasswordCounter, PendingAuthorization, SESSION_IDLE, SESSION_LIFE,
    Session, SignInAttempt, SingleUseToken, SingleUseTokenKind, User,
};
pub use authorize::{AuthorizationRequest, Refusal, UI_LOCALES, VerifiedRedirect, is_loopback};
pub use client::{Client, PURPOSES};
pub use client_auth::{Credentials, authenticate, basic};
pub use crypto::{Algorithm, Crypto, CryptoError};
pub use documents::{DocumentSource, Documents, Fetch, FetchError, FetchedDocument};
pub use error::{AuthStoreError, OAuthError, OAuthErrorCode};
pub use event::{Event, EventContext};
pub use grant_type::GrantType;
pub use guesses::{FailureWindow, Guard, Guess, Secret};
pub use health_link::{HealthLink, HealthLinks, MAX_LINKS, NO_PASSCODE, TICKET};
pub use id_token::issue;
pub use identity_provider::{IdentityProvider, MAX_SUBJECT_LENGTH};
pub use jwt_policy::CLIENT_ASSERTION;
pub use launch::{LaunchRequest, LaunchResponse, prepare_launch};
pub use registration::{SHORTEST_SECRET, address as check_address};
pub use request_fault::RequestFault;
pub use secret::{Pepper, SANDBOX_MARK, hashed, is_sandbox_secret, same, token_of};
pub use service::{TokenRequest, TokenService};
pub use signin::{
    ConsentPage, Cookie, DEVICE_LIFE, EncounterCard, FormFields, FormTokens, FoundPatients, MAX_DEVICES, ManagePage,
    NAMED_PATIENTS, NextPage, OMIT_FIELD, PART_FIELD, PENDING_FIELD, PasskeyChallenge, PasskeyList, PatientCard,
    PatientDirectory, PatientQuery, PickEncounterPage, PickPage, ProviderButton, Screen, SignIn, SignInError,
    SignInFailure, SignInPage, SignOutPage, Step, UserAgent, is_context,
};
pub use token_explanation::{Check, ExpectedToken, checks};
pub use trusted::{TrustFault, TrustedIssuer, verify_trusted};
