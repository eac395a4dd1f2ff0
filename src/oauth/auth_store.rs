//! The state of the authorization server, as a trait. The module `auth_store`, one layer above, implements it in SQL.
//!
//! Codes, refresh tokens, sessions and launch handles are stored as hashes. An operation that may happen only once is a
//! single call, which reports whether it happened. So no decision is based on an outdated state.

use super::authorize::AuthorizationRequest;
use super::client::Client;
use super::error::AuthStoreError;
use super::health_link::HealthLinks;
use super::launch_context::LaunchContext;

/// An authorization that a client holds. All its tokens carry its id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrantRow {
    /// The id: the `sid` of its access tokens. It tells the resource (`Resource::of_grant`).
    pub id: String,
    /// The client that holds the authorization.
    pub client: String,
    /// The user who gave the authorization. `None` if the client acts for itself.
    pub subject: Option<String>,
    /// The granted scopes, separated by blanks.
    pub scope: String,
    /// The id of the patient in context.
    pub patient: Option<String>,
    /// The context of the launch, besides the patient.
    pub context: LaunchContext,
    /// The resource of the user, as `Type/id`.
    pub fhir_user: Option<String>,
    /// The id of the session in which the authorization was given.
    pub session: Option<String>,
    /// True if the authorization ends with that session (`online_access`).
    pub online: bool,
    /// The time at which the authorization was given, in seconds since 1970.
    pub created_at: i64,
    /// The time at which its last code or token expires, in seconds since 1970.
    pub expires_at: i64,
}

/// The access of one app: the union of its active grants from one user.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AppAccess {
    /// The `client_id` of the app.
    pub client: String,
    /// The display name of the app.
    pub name: String,
    /// The scopes of all grants, separated by blanks. A scope may occur twice.
    pub scope: String,
    /// The ids of the patients in context.
    pub patients: Vec<String>,
    /// The time at which the first grant was given, in seconds since 1970.
    pub since: i64,
    /// The time at which the app last exchanged a code or refresh token, in seconds since 1970.
    pub used_at: Option<i64>,
    /// The time at which the last grant expires, in seconds since 1970.
    pub expires_at: i64,
}

/// A person who signs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The name for signing in. It is also the subject of tokens.
    pub name: String,
    /// The stretched password ([`super::password`]). A user without one cannot sign in with a password.
    pub password: Option<String>,
    /// The user's own resource, as `Type/id`.
    pub fhir_user: Option<String>,
    /// True if the user may not sign in.
    pub disabled: bool,
}

/// A signed-in user in one browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The hash of its cookie.
    pub id: String,
    /// The name of the user.
    pub user: String,
    /// The time of the sign-in, in seconds since 1970.
    pub since: i64,
    /// True if the user authenticated at the sign-in. An identity provider may sign in a known user silently.
    pub was_prompted: bool,
}

/// The longest life of a session, in seconds: a working day.
pub const SESSION_LIFE: i64 = 8 * 3_600;
/// The longest life of an unused session, in seconds. Pages of the authorization server use the session, and so do apps
/// that refresh their tokens with `online_access`.
pub const SESSION_IDLE: i64 = 3_600;

/// An authorization request that its user has not yet answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingAuthorization {
    /// The hash of the name in the forms.
    pub id: String,
    /// The hash of the cookie of the browser to which it belongs.
    pub visit: String,
    /// The checked request.
    pub request: AuthorizationRequest,
    /// The user who signed in to answer it.
    pub user: Option<String>,
    /// The id of the patient whom the user selected.
    pub patient: Option<String>,
    /// The id of the encounter that the user selected. Empty if the user selected no encounter.
    pub encounter: Option<String>,
}

/// An EHR launch: the context that the parameter `launch` stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The client that is launched.
    pub client: String,
    /// The user of the EHR.
    pub user: String,
    /// The id of the patient whose chart is open in the EHR.
    pub patient: Option<String>,
    /// The context besides the patient.
    pub context: LaunchContext,
}

/// A sign-in that has begun at an identity provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInAttempt {
    /// The hash of its `state`.
    pub id: String,
    /// The issuer identifier of the provider.
    pub issuer: String,
    /// The hash of the cookie of the browser to which it belongs.
    pub visit: String,
    /// True if the provider must authenticate the user again.
    pub fresh: bool,
    /// The time at which the attempt began, in seconds since 1970.
    pub began_at: i64,
}

/// The kinds of [`SingleUseToken`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SingleUseTokenKind {
    /// An authorization code.
    Code,
    /// A refresh token.
    Refresh,
}

impl SingleUseTokenKind {
    /// Returns the stored form: `code` or `refresh`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Refresh => "refresh",
        }
    }
}

/// An authorization code or a refresh token. It can be exchanged once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SingleUseToken {
    /// The authorization to which the token belongs.
    pub grant: GrantRow,
    /// True if the authorization is active: it is not revoked and, if it is online, its session has not ended.
    pub is_active: bool,
    /// The name of the exchange that redeemed the token.
    pub redeemed_by: Option<String>,
    /// The time at which the token expires, in seconds since 1970.
    pub expires_at: i64,
    /// The request that a code answers. The exchange must repeat its `redirect_uri` and prove its PKCE challenge. Empty
    /// for a refresh token.
    pub request: AuthorizationRequest,
}

/// The refresh token that an exchange issues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextRefreshToken {
    /// The hash.
    pub id: String,
    /// The time at which it expires, in seconds since 1970.
    pub expires_at: i64,
}

/// The exchange of a code or refresh token for new tokens.
#[derive(Debug, Clone, Copy)]
pub struct Exchange<'a> {
    /// The kind of the token that is redeemed.
    pub kind: SingleUseTokenKind,
    /// The hash of the token that is redeemed.
    pub id: &'a str,
    /// A unique name of this exchange.
    pub name: &'a str,
    /// The refresh token that the exchange issues.
    pub next: Option<&'a NextRefreshToken>,
    /// The time until which the authorization must last at least, in seconds since 1970.
    pub ends: i64,
}

/// The beginning of a user's access list, which lists the patients whom the user may see.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccessListPage {
    /// The patients' ids in ascending order, cut at the limit of the call.
    pub patients: Vec<String>,
    /// True if the list was cut.
    pub more: bool,
}

/// The definition of one counter of wrong passwords.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordCounter {
    /// The key of the counter. It contains no plain name.
    pub name: String,
    /// The number of wrong passwords that cause no wait.
    pub free: u32,
    /// The number of wrong passwords that cause no wait while the account is under attack from many networks.
    pub under_attack: u32,
    /// True if several people share the counter. A correct password then decrements it instead of deleting it.
    pub is_shared: bool,
}

/// An attempt to sign in with a password, with the counters that it increments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordAttempt {
    /// The counters that may impose a wait.
    pub counters: Vec<PasswordCounter>,
    /// The counter of the account for all networks, and the number of wrong passwords at which the account counts as
    /// under attack. This counter causes no wait.
    pub account: Option<(String, u32)>,
}

/// The state of the authorization server. Every call returns an error if the storage does not answer.
#[allow(missing_docs, reason = "the errors are all the same")]
pub trait AuthStore: HealthLinks {
    /// Checks that all tables exist, and that rows can be written.
    async fn ready(&self) -> Result<(), AuthStoreError>;

    async fn client(&self, id: &str) -> Result<Option<Client>, AuthStoreError>;

    /// Stores an authorization that needs no consent of a user.
    async fn store_grant(&self, row: GrantRow) -> Result<(), AuthStoreError>;

    async fn user(&self, name: &str) -> Result<Option<User>, AuthStoreError>;

    /// Returns the first patients on a user's access list, at most `most`.
    async fn access_list(&self, user: &str, most: usize) -> Result<AccessListPage, AuthStoreError>;

    /// Counts an attempt as wrong in each of its counters before its password is checked. Returns the seconds to wait
    /// if the password must not be checked now. The wait doubles with each attempt beyond the free ones.
    async fn count_attempt(&self, attempt: &PasswordAttempt, now: i64) -> Result<Option<i64>, AuthStoreError>;

    /// Undoes the count of an attempt with the correct password: deletes its counters and decrements the shared ones.
    async fn clear_failures(&self, attempt: &PasswordAttempt) -> Result<(), AuthStoreError>;

    /// Stores a session, and its user in the pending authorization if one is given. An earlier session of the same
    /// browser ends. The session lasts for [`SESSION_IDLE`] from its last use, and at most for [`SESSION_LIFE`].
    async fn open_session(
        &self,
        session: &Session,
        pending: Option<&str>,
        earlier: Option<&str>,
    ) -> Result<(), AuthStoreError>;

    /// Returns a session that has not ended. The call counts as a use of the session.
    async fn session(&self, id: &str, now: i64) -> Result<Option<Session>, AuthStoreError>;

    /// Ends a session at sign-out.
    async fn close_session(&self, id: &str) -> Result<(), AuthStoreError>;

    async fn store_pending(&self, pending: &PendingAuthorization, expires_at: i64) -> Result<(), AuthStoreError>;

    /// Returns a session and a pending authorization, unless they have ended. The call counts as a use of the session.
    async fn resume(
        &self,
        session: Option<&str>,
        pending: &str,
        now: i64,
    ) -> Result<(Option<Session>, Option<PendingAuthorization>), AuthStoreError>;

    /// Stores the patient whom the user selected. A previously selected encounter is dropped.
    async fn select_patient(&self, pending: &str, patient: &str) -> Result<(), AuthStoreError>;

    /// Stores the encounter that the user selected. It is empty if the user selected no encounter.
    async fn select_encounter(&self, pending: &str, encounter: &str) -> Result<(), AuthStoreError>;

    /// Ends a pending authorization without a grant. Returns `false` if it had already ended.
    async fn abandon(&self, pending: &str, now: i64) -> Result<bool, AuthStoreError>;

    /// Ends a pending authorization and its launch, and stores a grant and its code, which is bound to the request.
    /// Returns `false`, and changes nothing, if the pending authorization or the launch had already ended.
    async fn store_code(
        &self,
        pending: &PendingAuthorization,
        grant: &GrantRow,
        code: &str,
        expires_at: i64,
    ) -> Result<bool, AuthStoreError>;

    /// Returns a code or refresh token by its hash, even if it has been redeemed.
    async fn single_use_token(
        &self,
        kind: SingleUseTokenKind,
        id: &str,
        now: i64,
    ) -> Result<Option<SingleUseToken>, AuthStoreError>;

    /// Redeems a code or refresh token. The call counts as a use of the session of an online authorization. Returns
    /// `false`, and changes nothing, if the token was already redeemed or has ended, or if its authorization is not
    /// active.
    async fn redeem(&self, exchange: Exchange<'_>, now: i64) -> Result<bool, AuthStoreError>;

    /// Revokes an authorization. All its codes and tokens end.
    async fn revoke(&self, grant: &str, now: i64) -> Result<(), AuthStoreError>;

    async fn active_grant(&self, grant: &str, now: i64) -> Result<Option<GrantRow>, AuthStoreError>;

    /// Returns the active grants that a client got in a session, the newest first.
    async fn grants_of_session(
        &self,
        session: &Session,
        client: &str,
        now: i64,
    ) -> Result<Vec<GrantRow>, AuthStoreError>;

    /// Returns the access of each app to a user's data, the app with the newest grant first. The list is complete.
    async fn apps_of(&self, user: &str, now: i64) -> Result<Vec<AppAccess>, AuthStoreError>;

    /// Revokes all grants of a user to a client. All their codes and tokens end. Returns `false` if there was none.
    async fn revoke_app(&self, user: &str, client: &str, now: i64) -> Result<bool, AuthStoreError>;

    /// Stores a launch under the hash of its parameter `launch`.
    async fn store_launch(&self, id: &str, launch: &Launch, expires_at: i64) -> Result<(), AuthStoreError>;

    /// Returns a launch that has not ended, by the hash of its parameter `launch`.
    async fn launch(&self, id: &str, now: i64) -> Result<Option<Launch>, AuthStoreError>;

    /// Returns the user for whom an account at an identity provider is registered.
    async fn user_of_identity(&self, issuer: &str, subject: &str) -> Result<Option<User>, AuthStoreError>;

    async fn begin_attempt(&self, attempt: &SignInAttempt, expires_at: i64) -> Result<(), AuthStoreError>;

    /// Ends an attempt to sign in, and returns it. Only the first call returns it.
    async fn take_attempt(&self, id: &str, now: i64) -> Result<Option<SignInAttempt>, AuthStoreError>;

    /// Returns all clients, and the names of the users of the sandbox, whose passwords are published.
    async fn clients_and_users(&self) -> Result<(Vec<Client>, Vec<String>), AuthStoreError>;
}
