//! The state of the authorization server, as a trait that `auth_store` implements.
//!
//! Codes, refresh tokens, sessions and launch handles are stored as hashes. An operation that may happen once is one
//! call, which reports whether it happened: no call reads a state that another one changes later.

use super::authorize::AuthorizationRequest;
use super::client::Client;
use super::error::AuthStoreError;

/// An authorization that was given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrantRow {
    /// Its name in the tokens that stem from it.
    pub id: String,
    /// The client that holds it.
    pub client: String,
    /// The user who gave it; none where the client acts for itself.
    pub subject: Option<String>,
    /// What was granted.
    pub scope: String,
    /// The patient in context.
    pub patient: Option<String>,
    /// The resource of the user, as `Type/id`.
    pub fhir_user: Option<String>,
    /// The session in which it was given.
    pub session: Option<String>,
    /// True if it ends with that session.
    pub online: bool,
    /// When it was given, in seconds since 1970.
    pub created_at: i64,
    /// When the last of it ends.
    pub expires_at: i64,
}

/// What the active grants of a user let one app do, in sum.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AppAccess {
    /// The client.
    pub client: String,
    /// Its name, for people.
    pub name: String,
    /// The scopes of all the grants.
    pub scope: String,
    /// The patients in context.
    pub patients: Vec<String>,
    /// When the first was given, in seconds since 1970.
    pub since: i64,
    /// When the client last got a token by one of them.
    pub used_at: Option<i64>,
    /// When the last of them ends.
    pub expires_at: i64,
}

/// A person who signs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The name to sign in with; also the subject of tokens.
    pub name: String,
    /// The stretched password ([`super::password`]); without one nobody signs in.
    pub password: Option<String>,
    /// The user's own resource, as `Type/id`.
    pub fhir_user: Option<String>,
    /// True if the user is refused.
    pub disabled: bool,
}

/// Somebody who is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The hash of its cookie.
    pub id: String,
    /// Who.
    pub user: String,
    /// Since when, in seconds since 1970.
    pub since: i64,
}

/// The longest that a session lasts, in seconds: a working day.
pub const SESSION_LIFE: i64 = 8 * 3_600;
/// The longest that a session lasts without use, in seconds. A page of the authorization server uses it, and so does an app
/// that gets new tokens with `online_access`.
pub const SESSION_IDLE: i64 = 3_600;

/// An authorization request under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingAuthorization {
    /// The hash of what the forms carry.
    pub id: String,
    /// The hash of the cookie of the browser that it is for.
    pub visit: String,
    /// What was asked, and found good.
    pub request: AuthorizationRequest,
    /// Who signed in for it.
    pub user: Option<String>,
    /// Who was picked for it.
    pub patient: Option<String>,
}

/// What a launch handle stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The client that it was made for.
    pub client: String,
    /// Who works in the EHR.
    pub user: String,
    /// Whose chart is open there.
    pub patient: Option<String>,
}

/// The two things that are exchanged for tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SingleUseTokenKind {
    /// An authorization code.
    Code,
    /// A refresh token.
    Refresh,
}

impl SingleUseTokenKind {
    /// As it is stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Refresh => "refresh",
        }
    }
}

/// A code or refresh token, with what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SingleUseToken {
    /// The authorization behind it.
    pub grant: GrantRow,
    /// True if that still stands: not withdrawn, and not ended with its session.
    pub stands: bool,
    /// True if the code or refresh token was spent before.
    pub spent: bool,
    /// When it ends.
    pub expires_at: i64,
    /// The request that it answers, where it is a code: whoever exchanges it must show what that said.
    pub request: AuthorizationRequest,
}

/// A refresh token that follows a code or refresh token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextRefreshToken {
    /// Its hash.
    pub id: String,
    /// When it ends.
    pub expires_at: i64,
}

/// Whom a user may see.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccessList {
    /// Patients' ids, in their order; not all of them where there are many.
    pub patients: Vec<String>,
    /// True if there are more.
    pub more: bool,
}

/// A counter of wrong passwords.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordFailures {
    /// Its name.
    pub name: String,
    /// How many wrong passwords need not wait.
    pub free: u32,
    /// The same while the account is guessed at from many networks.
    pub under_attack: u32,
    /// True if it counts for several people: a right password takes one off it, instead of ending it.
    pub is_shared: bool,
}

/// An attempt to sign in with a password, by its counters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordAttempt {
    /// The counters that may make it wait.
    pub tallies: Vec<PasswordFailures>,
    /// The counter of the account over all networks, and how many wrong passwords make it one that is guessed at from many.
    /// It makes nobody wait itself.
    pub account: Option<(String, u32)>,
}

/// Where the authorization server keeps what it must remember. Every call errs where the storage does not answer.
#[allow(async_fn_in_trait, missing_docs, reason = "the futures of a Worker are not Send; the errors are all the same")]
#[allow(clippy::missing_errors_doc, reason = "the errors are all the same")]
pub trait AuthStore {
    /// Whether it can answer: all its tables are there.
    async fn ready(&self) -> Result<(), AuthStoreError>;

    /// The client of that identifier.
    async fn client(&self, id: &str) -> Result<Option<Client>, AuthStoreError>;

    /// Remembers an authorization that needs nobody's consent.
    async fn grant(&self, row: GrantRow) -> Result<(), AuthStoreError>;

    /// The user of that name.
    async fn user(&self, name: &str) -> Result<Option<User>, AuthStoreError>;

    /// Whom a user may see, so many at most.
    async fn access_list(&self, user: &str, most: usize) -> Result<AccessList, AuthStoreError>;

    /// Counts an attempt as a wrong one before its password is looked at, by each of its counters; or says for how many
    /// seconds none is looked at. The wait doubles with each attempt beyond the free ones.
    async fn count_guess(&self, attempt: &PasswordAttempt, now: i64) -> Result<Option<i64>, AuthStoreError>;

    /// The password was right: the counters end, and those that are shared lose one.
    async fn forgive(&self, attempt: &PasswordAttempt) -> Result<(), AuthStoreError>;

    /// Somebody signed in, for that pending authorization where there is one; an earlier session of the same browser ends. The session
    /// lasts for [`SESSION_IDLE`] from its last use, and for [`SESSION_LIFE`] at most.
    async fn open_session(
        &self,
        session: &Session,
        pending: Option<&str>,
        earlier: Option<&str>,
    ) -> Result<(), AuthStoreError>;

    /// A session that has not ended. This uses it.
    async fn session(&self, id: &str, now: i64) -> Result<Option<Session>, AuthStoreError>;

    /// Somebody signed out.
    async fn close_session(&self, id: &str) -> Result<(), AuthStoreError>;

    /// Begins an pending authorization.
    async fn begin(&self, pending: &PendingAuthorization, expires_at: i64) -> Result<(), AuthStoreError>;

    /// A session and an pending authorization, each if it has not ended. This uses the session.
    async fn under_way(
        &self,
        session: Option<&str>,
        pending: &str,
        now: i64,
    ) -> Result<(Option<Session>, Option<PendingAuthorization>), AuthStoreError>;

    /// A patient was picked.
    async fn pick(&self, pending: &str, patient: &str) -> Result<(), AuthStoreError>;

    /// Ends an pending authorization with nothing. `false` where it had ended.
    async fn give_up(&self, pending: &str, now: i64) -> Result<bool, AuthStoreError>;

    /// Ends an pending authorization, and with it its launch, with an authorization and its code, which is bound to the request.
    /// `false`, and nothing of it, where the pending authorization or the launch had ended.
    async fn issue(
        &self,
        pending: &PendingAuthorization,
        grant: &GrantRow,
        code: &str,
        expires_at: i64,
    ) -> Result<bool, AuthStoreError>;

    /// What a code or refresh token stands for.
    async fn single_use_token(
        &self,
        kind: SingleUseTokenKind,
        id: &str,
        now: i64,
    ) -> Result<Option<SingleUseToken>, AuthStoreError>;

    /// Spends a code or refresh token in the exchange of that name; the authorization lasts until `ends` at least, and the session of an
    /// online one is used. `false`, and nothing of it, where the code or refresh token was spent, has ended, or its authorization does not stand.
    async fn exchange(
        &self,
        kind: SingleUseTokenKind,
        id: &str,
        exchange: &str,
        next: Option<&NextRefreshToken>,
        ends: i64,
        now: i64,
    ) -> Result<bool, AuthStoreError>;

    /// Withdraws an authorization: all that stems from it ends.
    async fn revoke(&self, grant: &str, now: i64) -> Result<(), AuthStoreError>;

    /// An authorization, where it stands.
    async fn standing(&self, grant: &str, now: i64) -> Result<Option<GrantRow>, AuthStoreError>;

    /// The active grants that were given to a client in a session, the newest first.
    async fn given_in(&self, session: &Session, client: &str, now: i64) -> Result<Vec<GrantRow>, AuthStoreError>;

    /// What each app may do in a user's name, the one first that was allowed something last. No app is left out.
    async fn apps_of(&self, user: &str, now: i64) -> Result<Vec<AppAccess>, AuthStoreError>;

    /// Revokes all grants of a user to a client: all that stems from them ends. `false` where there was none.
    async fn revoke_app(&self, user: &str, client: &str, now: i64) -> Result<bool, AuthStoreError>;

    /// Remembers a launch under the hash of its handle.
    async fn launched(&self, id: &str, launch: &Launch, expires_at: i64) -> Result<(), AuthStoreError>;

    /// What a launch handle stands for.
    async fn launch(&self, id: &str, now: i64) -> Result<Option<Launch>, AuthStoreError>;

    /// All clients and the names of all users: for the playground.
    async fn everybody(&self) -> Result<(Vec<Client>, Vec<String>), AuthStoreError>;
}
