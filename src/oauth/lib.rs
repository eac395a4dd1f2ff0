//! Authorization: clients, tokens, and signing in. Time and random bytes are arguments; traits provide keys and state.
//!
//! A token is first an [`UnverifiedToken`], then [`Verified`]. So no claim can be read before the signature and the
//! times have been checked. The meaning of scopes is in `smart`, and HTTP is in `api`.

mod access_token;
mod address;
mod agents;
mod assertion;
mod auth_store;
mod authorize;
mod client;
mod client_auth;
mod client_kind;
mod crypto;
mod documents;
mod error;
mod event;
mod form_fields;
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
mod launch_context;
pub mod password;
mod patients;
mod registration;
mod request_fault;
mod resource;
mod revoke;
mod secret;
mod service;
mod signin;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod token;
mod token_explanation;
mod trusted;

pub use access_token::{AccessClaims, EXAMPLE_KEY, KeyError, SigningKeys, TokenFault, UnverifiedToken, Verified};
pub use address::address as check_address;
pub use agents::{AGENT_SCOPE, AdmittedAgents, Agents, could_get};
pub use assertion::ASSERTION_TYPE;
pub use auth_store::{
    AccessListPage, AppAccess, AuthStore, Exchange, GrantRow, Launch, NextRefreshToken, PasswordAttempt,
    PasswordCounter, PendingAuthorization, SESSION_IDLE, SESSION_LIFE, Session, SignInAttempt, SingleUseToken,
    SingleUseTokenKind, User,
};
pub use authorize::{AuthorizationRequest, Refusal, UI_LOCALES, VerifiedRedirect, is_loopback};
pub use client::{Client, PURPOSES};
pub use client_auth::{Credentials, authenticate, basic};
pub use client_kind::ClientKind;
pub use crypto::{Algorithm, Crypto, CryptoError};
pub use documents::{DocumentSource, Documents, Fetch, FetchError, FetchedDocument};
pub use error::{AuthStoreError, OAuthError, OAuthErrorCode};
pub use event::{Event, EventContext};
pub use form_fields::FormFields;
pub use grant_type::GrantType;
pub use guesses::{FailureWindow, Guard, Guess, Secret};
pub use health_link::{HealthLink, HealthLinks, MAX_LINKS, NO_PASSCODE, TICKET};
pub use id_token::issue;
pub use identity_provider::{IdentityProvider, MAX_SUBJECT_LENGTH};
pub use jwt_policy::CLIENT_ASSERTION;
pub use launch::{LaunchRequest, LaunchResponse, prepare_launch};
pub use launch_context::LaunchContext;
pub use patients::{EncounterCard, FoundPatients, PatientCard, PatientDirectory, PatientQuery};
pub use registration::SHORTEST_SECRET;
pub use request_fault::RequestFault;
pub use resource::Resource;
pub use secret::{Pepper, SANDBOX_MARK, hashed, is_sandbox_secret, same, token_of};
pub use service::{TokenRequest, TokenService};
pub use signin::{
    ConsentPage, Cookie, DEVICE_LIFE, FormTokens, MAX_DEVICES, ManagePage, NAMED_PATIENTS, NextPage, OMIT_FIELD,
    PART_FIELD, PENDING_FIELD, PickEncounterPage, PickPage, ProviderButton, Screen, SignIn, SignInError, SignInFailure,
    SignInPage, SignOutPage, Step, UserAgent, is_context,
};
pub use token_explanation::{Check, ExpectedToken, checks};
pub use trusted::{TrustFault, TrustedIssuer, verify_trusted};
