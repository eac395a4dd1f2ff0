//! Passkeys: signing in with one, and adding and removing them.

use base64ct::{Base64UrlUnpadded, Encoding};

use super::login::{MANAGE, network_counter};
use super::page::{FAILURE_PARAMETER, NextPage, PENDING_FIELD, PasskeyChallenge, SignInFailure};
use super::{FormFields, Screen, SignIn, SignInError, Step, VerifiedRequest};
use crate::auth_store::{AttemptKind, AuthStore, Passkey, PasswordAttempt, Session, SignInAttempt, User};
use crate::crypto::Crypto;
use crate::event::{Event, EventContext};
use crate::patients::PatientDirectory;
use crate::request_fault::RequestFault;
use crate::secret::{hashed, token_of};
use crate::webauthn::{Ceremony, RelyingParty, WebAuthnFault, bytes, is_handle};

/// The life of a challenge, in seconds.
const CHALLENGE_LIFE: i64 = 300;
/// The time after a sign-in in which passkeys may be added and removed, in seconds.
pub const RECENT: i64 = 300;
/// The maximum length of the name of a passkey, in characters.
const MAX_NAME_LENGTH: usize = 64;
/// The parameter of the management page with the result of a change of passkeys.
pub const CHANGED: &str = "passkey";

/// The names of events in the audit log.
const LOGIN: &str = "login-passkey";
const ADD: &str = "passkey-added";
const REMOVE: &str = "passkey-removed";

impl<L: AuthStore, C: Crypto, P: PatientDirectory> SignIn<'_, L, C, P> {
    /// Returns whether the user of a session authenticated so recently that passkeys may be changed.
    pub(super) const fn is_recent(&self, session: &Session) -> bool {
        session.was_prompted && self.now - session.since <= RECENT
    }

    /// Answers the script of the pages with a challenge: for a sign-in, or to add a passkey.
    ///
    /// # Errors
    /// If passkeys are off, the form is not ours, the session is not recent, or the storage does not answer.
    pub async fn passkey_challenge(&self, fields: FormFields<'_>) -> Result<Step, SignInError> {
        self.require_passkeys()?;
        let challenge = token_of(self.random, "passkey challenge");
        let party = self.party().id().to_owned();
        let mut response = PasskeyChallenge { challenge, party, user: None, known: Vec::new() };
        let (kind, visit) = if fields.get("purpose") == Some("add") {
            let visit = self.check_form(fields, MANAGE)?;
            let session = self.find_session().await?.filter(|session| self.is_recent(session));
            let session = session.ok_or(SignInError::Gone)?;
            response.known = self.auth_store.passkeys_of(&session.user).await?.into_iter().map(|one| one.id).collect();
            response.user = Some((self.user_handle(&session.user), session.user.clone()));
            (AttemptKind::NewPasskey(session.user), visit)
        } else if fields.get(PENDING_FIELD).is_some() {
            let (verified, visit, _) = self.verify_form(fields).await?;
            (AttemptKind::Passkey(Some(verified.pending.id)), visit)
        } else {
            (AttemptKind::Passkey(None), self.check_form(fields, MANAGE)?)
        };
        let (id, visit) = (hashed(&response.challenge), hashed(visit));
        let attempt = SignInAttempt { id, kind, visit, fresh: false, began_at: self.now };
        self.auth_store.begin_attempt(&attempt, self.now + CHALLENGE_LIFE).await?;
        Ok(Screen::Challenge(response).into())
    }

    /// Handles a sign-in with a passkey.
    ///
    /// # Errors
    /// If passkeys are off, the form is not ours, there were too many wrong attempts, or the storage does not answer.
    pub async fn passkey_login(&self, fields: FormFields<'_>) -> Result<Step, SignInError> {
        self.require_passkeys()?;
        let verified = if fields.get(PENDING_FIELD).is_some() {
            Some(self.verify_form(fields).await?.0)
        } else {
            self.check_form(fields, MANAGE)?;
            None
        };
        let client = verified.as_ref().map(|verified| verified.client.client_id.clone());
        let failed = |user: Option<String>, error| {
            Event::failed(LOGIN, EventContext { client: client.clone(), user, ..EventContext::default() }, error)
        };
        let counted = PasswordAttempt { counters: vec![network_counter(&self.user_agent.network)], account: None };
        if let Some(wait) = self.auth_store.count_attempt(&counted, self.now).await? {
            let error = SignInError::TooMany(wait);
            let events = vec![failed(None, error.name())];
            return Ok(Step { screen: Screen::Error(error), cookie: None, events });
        }
        match self.verify_assertion(fields, verified.as_ref()).await? {
            Ok(user) => {
                self.auth_store.clear_failures(&counted).await?;
                self.begin_session(verified.as_ref(), &user, (LOGIN, true)).await
            }
            Err((user, WebAuthnFault(error))) => {
                let next = verified.as_ref().map(VerifiedRequest::next).unwrap_or_default();
                let screen = Screen::Show(next.with(FAILURE_PARAMETER, SignInFailure::Passkey.name()));
                Ok(Step { screen, cookie: None, events: vec![failed(user, error)] })
            }
        }
    }

    /// Verifies the assertion of a form (section 7.2), and returns its user. A fault includes the user of the passkey,
    /// if known.
    async fn verify_assertion(
        &self,
        fields: FormFields<'_>,
        verified: Option<&VerifiedRequest>,
    ) -> Result<Result<User, (Option<String>, WebAuthnFault)>, SignInError> {
        let parts = ["client_data", "auth_data", "signature"].map(|name| bytes(fields.get(name)));
        let [Ok(client), Ok(data), Ok(signature)] = parts else { return Ok(Err((None, WebAuthnFault("malformed")))) };
        let party = self.party();
        let client = match party.client_data(&client, Ceremony::Get) {
            Ok(client) => client,
            Err(fault) => return Ok(Err((None, fault))),
        };
        let pending = verified.map(|verified| verified.pending.id.clone());
        if let Err(fault) = self.end_attempt(&client.challenge, &AttemptKind::Passkey(pending)).await? {
            return Ok(Err((None, fault)));
        }
        let passkey = match fields.get("id") {
            Some(id) => self.auth_store.passkey(id).await?,
            None => None,
        };
        let user = match &passkey {
            Some(passkey) => self.auth_store.user(&passkey.user).await?.filter(|user| !user.disabled),
            None => None,
        };
        let Some((passkey, user)) = passkey.zip(user) else {
            return Ok(Err((None, WebAuthnFault("unknown_passkey"))));
        };
        let refused = |error| Ok(Err((Some(user.name.clone()), WebAuthnFault(error))));
        if !is_handle(&self.user_handle(&user.name), fields.get("user_handle")) {
            return refused("other_user");
        }
        if passkey.is_cloned {
            return refused("cloned_authenticator");
        }
        let verified = party.verify(self.crypto, (&client, &data, &signature), &passkey.public_key).await?;
        match verified {
            Err(WebAuthnFault(error)) => refused(error),
            Ok(count) if self.auth_store.use_passkey(&passkey.id, count, self.now).await? => Ok(Ok(user)),
            Ok(_) => refused("cloned_authenticator"),
        }
    }

    /// Adds a passkey to the user of the session, or removes one.
    ///
    /// # Errors
    /// If passkeys are off, the form is not ours, or the storage does not answer.
    pub async fn change_passkeys(&self, fields: FormFields<'_>) -> Result<Step, SignInError> {
        self.require_passkeys()?;
        self.check_form(fields, MANAGE)?;
        let Some(session) = self.find_session().await? else { return Ok(Screen::Show(NextPage::default()).into()) };
        let event_context = EventContext { user: Some(session.user.clone()), ..EventContext::default() };
        let (event, result) = match fields.get("remove") {
            Some(_) if !self.is_recent(&session) => (Event::failed(REMOVE, event_context, "session_is_old"), "failed"),
            Some(id) if self.auth_store.remove_passkey(&session.user, id).await? => {
                (Event::done(REMOVE, event_context), "removed")
            }
            Some(_) => (Event::failed(REMOVE, event_context, "unknown_passkey"), "failed"),
            None => match self.register_passkey(fields, &session).await? {
                Ok(()) => (Event::done(ADD, event_context), "added"),
                Err(WebAuthnFault(error)) => (Event::failed(ADD, event_context, error), "failed"),
            },
        };
        let screen = Screen::Show(NextPage::default().with(CHANGED, result));
        Ok(Step { screen, cookie: None, events: vec![event] })
    }

    /// Verifies a new passkey (section 7.1), and stores it.
    async fn register_passkey(
        &self,
        fields: FormFields<'_>,
        session: &Session,
    ) -> Result<Result<(), WebAuthnFault>, SignInError> {
        if !self.is_recent(session) {
            return Ok(Err(WebAuthnFault("session_is_old")));
        }
        let parts = ["client_data", "attestation"].map(|name| bytes(fields.get(name)));
        let [Ok(client), Ok(object)] = parts else { return Ok(Err(WebAuthnFault("malformed"))) };
        let party = self.party();
        let client = match party.client_data(&client, Ceremony::Create) {
            Ok(client) => client,
            Err(fault) => return Ok(Err(fault)),
        };
        let kind = AttemptKind::NewPasskey(session.user.clone());
        if let Err(fault) = self.end_attempt(&client.challenge, &kind).await? {
            return Ok(Err(fault));
        }
        let made = match party.new_credential(&object) {
            Ok(made) => made,
            Err(fault) => return Ok(Err(fault)),
        };
        let name = fields.get("name").map(str::trim).filter(|name| !name.is_empty()).unwrap_or("Passkey");
        let passkey = Passkey {
            id: made.id,
            user: session.user.clone(),
            name: name.chars().take(MAX_NAME_LENGTH).collect(),
            public_key: made.key.to_string(),
            sign_count: made.sign_count,
            is_cloned: false,
            created_at: self.now,
            used_at: None,
        };
        let added = self.auth_store.add_passkey(&passkey, &session.id, self.now).await?;
        Ok(if added { Ok(()) } else { Err(WebAuthnFault("not_added")) })
    }

    /// Ends the attempt with that challenge, if it belongs to this browser and has this kind.
    async fn end_attempt(&self, challenge: &str, kind: &AttemptKind) -> Result<Result<(), WebAuthnFault>, SignInError> {
        let Some(attempt) = self.auth_store.take_attempt(&hashed(challenge), self.now).await? else {
            return Ok(Err(WebAuthnFault("unknown_challenge")));
        };
        let own = self.user_agent.visit.as_deref().map(hashed).is_some_and(|visit| visit == attempt.visit);
        Ok(if own && attempt.kind == *kind { Ok(()) } else { Err(WebAuthnFault("other_challenge")) })
    }

    /// Returns the user handle of a user: 32 bytes that disclose nothing about the user.
    fn user_handle(&self, user: &str) -> String {
        Base64UrlUnpadded::encode_string(&self.pepper.mix("passkey user", user))
    }

    const fn party(&self) -> RelyingParty<'_> {
        RelyingParty { origin: self.issuer }
    }

    const fn require_passkeys(&self) -> Result<(), SignInError> {
        if self.passkeys { Ok(()) } else { Err(SignInError::Page(RequestFault::NoPasskeys)) }
    }
}
