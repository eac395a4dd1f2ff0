//! The pages on which a user answers an authorization request: sign-in, patient selection, consent.
//!
//! The request is checked once and stored ([`PendingAuthorization`]). The pages contain only its name and a CSRF token
//! of this browser. Each request determines the next step again ([`SignIn::next_step`]), so no page can be skipped or
//! forged.

mod consent;
mod device;
mod encounter;
mod login;
mod manage;
mod next_step;
mod page;
mod patient;
mod provider;
mod request;
mod sign_out;

use std::cell::Cell;

pub use device::{DEVICE_LIFE, MAX_DEVICES};
pub use page::{
    ConsentPage, FormTokens, ManagePage, NAMED_PATIENTS, NextPage, OMIT_FIELD, PART_FIELD, PENDING_FIELD,
    PickEncounterPage, PickPage, ProviderButton, SignInFailure, SignInPage, SignOutPage, is_context,
};

use self::page::FAILURE_PARAMETER;
use super::access_token::SigningKeys;
use super::agents::{AdmittedAgents, known_client};
use super::auth_store::{AuthStore, PendingAuthorization, Session};
use super::authorize::{AuthorizationRequest, Refusal, VerifiedRedirect};
use super::client::{Client, registered_scopes};
use super::crypto::{Crypto, CryptoError};
use super::documents::{Documents, Fetch};
use super::error::AuthStoreError;
use super::event::{Event, EventContext};
use super::form_fields::FormFields;
use super::identity_provider::IdentityProvider;
use super::patients::PatientDirectory;
use super::request_fault::RequestFault;
use super::secret::{Pepper, hashed, same, token_of};
use fhir::Language;
use smart::ScopeSet;

/// The life of a pending authorization, in seconds.
const PENDING_LIFE: i64 = 600;

/// The sign-in pages, and the context of one request.
#[derive(Debug)]
pub struct SignIn<'a, L, C, P> {
    /// The state of the authorization server.
    pub auth_store: &'a L,
    /// The platform's cryptography.
    pub crypto: &'a C,
    /// The patients by name.
    pub patients: &'a P,
    /// The secret that is mixed with passwords.
    pub pepper: &'a Pepper,
    /// The keys for signing identity tokens.
    pub keys: &'a SigningKeys,
    /// The cache of documents fetched from identity providers.
    pub documents: &'a Documents,
    /// The identity providers at which users can sign in.
    pub providers: &'a [IdentityProvider],
    /// The clients that may read through `/mcp`. `None` if none may.
    pub agents: Option<AdmittedAgents<'a>>,
    /// The days for which a refresh token is valid.
    pub refresh_days: i64,
    /// The issuer identifier of this server.
    pub issuer: &'a str,
    /// The FHIR base for which tokens are issued.
    pub audience: &'a str,
    /// The time, in seconds since 1970.
    pub now: i64,
    /// 32 random bytes, only for this call.
    pub random: &'a [u8; 32],
    /// The browser of the request.
    pub user_agent: UserAgent,
    /// The language that the app requests (`ui_locales`): in this request, or in the pending authorization to which it
    /// belongs. It is set as soon as it is known, so that refusals use it too.
    pub language: Cell<Option<Language>>,
}

/// A browser, as identified by its cookies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserAgent {
    /// The value of the cookie that identifies the browser.
    pub visit: Option<String>,
    /// The value of the session cookie.
    pub session: Option<String>,
    /// The text of the previous form: a user name, or the words of a search.
    pub typed: Option<String>,
    /// The device cookies of users who have already signed in there.
    pub devices: Vec<String>,
    /// The network of the browser.
    pub network: String,
}

/// A cookie that a response sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cookie {
    /// The cookie that identifies the browser.
    Visit(String),
    /// The session cookie, its life in seconds, and the device cookies of the browser.
    Session(String, i64, String),
    /// Deletes the session cookie.
    SignedOut,
    /// The text of a form, for the next page. Only the browser stores it, because people type passwords into the wrong
    /// field.
    Typed(String),
}

/// The result of one step of the sign-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The next screen.
    pub screen: Screen,
    /// A cookie to set.
    pub cookie: Option<Cookie>,
    /// The events for the audit log.
    pub events: Vec<Event>,
}

/// The screens of the sign-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Screen {
    /// A redirect to the app, or to another address.
    Leave(String),
    /// A redirect to a page of this server.
    Show(NextPage),
    /// The sign-in page.
    SignIn(SignInPage),
    /// The patient selection.
    Pick(PickPage),
    /// The encounter selection.
    PickEncounter(PickEncounterPage),
    /// The consent page.
    Consent(ConsentPage),
    /// The page with the access of apps.
    Manage(ManagePage),
    /// The confirmation of a sign-out.
    SignOut(SignOutPage),
    /// The page after a sign-out.
    SignedOut,
    /// A refusal that also sets a cookie or records events.
    Error(SignInError),
}

impl From<Screen> for Step {
    fn from(screen: Screen) -> Self {
        Self { screen, cookie: None, events: Vec::new() }
    }
}

/// The reasons for refusing a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignInError {
    /// The request is invalid, and the error cannot be sent to the app.
    Page(RequestFault),
    /// The pending authorization was already answered, or has expired.
    Gone,
    /// The form is not ours, or belongs to another browser.
    Forged,
    /// There were too many wrong passwords. The value is the wait in seconds.
    TooMany(i64),
    /// An identity provider does not answer, or gives an invalid answer. The user can try again.
    Provider {
        /// The fault, only for the log.
        detail: String,
        /// The page from which to try again.
        next: NextPage,
    },
    /// An internal error. The text is only for the log.
    Broken(String),
}

impl SignInError {
    /// Returns the error code in the audit log.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Page(_) => "invalid_request",
            Self::Gone => "expired",
            Self::Forged => "forged",
            Self::TooMany(_) => "throttled",
            Self::Provider { .. } => "provider_failed",
            Self::Broken(_) => "fault",
        }
    }
}

impl From<AuthStoreError> for SignInError {
    fn from(error: AuthStoreError) -> Self {
        Self::Broken(error.0)
    }
}

impl From<CryptoError> for SignInError {
    fn from(error: CryptoError) -> Self {
        Self::Broken(error.0)
    }
}

/// A pending authorization, with its client and its redirect address, which have been verified again.
struct VerifiedRequest {
    name: String,
    pending: PendingAuthorization,
    client: Client,
    redirect: VerifiedRedirect,
}

impl VerifiedRequest {
    const fn request(&self) -> &AuthorizationRequest {
        &self.pending.request
    }

    /// Returns the page with the next step of the request.
    fn next(&self) -> NextPage {
        NextPage { pending: Some(self.name.clone()), parameter: None }
    }

    fn scopes(&self) -> Result<ScopeSet, SignInError> {
        let request = self.request();
        if request.scope.is_empty() {
            return Ok(registered_scopes(&self.client, request.launch.is_some()));
        }
        ScopeSet::parse(&request.scope).map_err(|_| SignInError::Gone)
    }

    /// Returns the context for the audit log: the app, and the user and the patient if known.
    fn event_context(&self, user: Option<&str>, patient: Option<&str>) -> EventContext {
        let [user, patient] = [user, patient].map(|name| name.map(str::to_owned));
        EventContext { client: Some(self.client.client_id.clone()), user, patient, ..EventContext::default() }
    }
}

impl<L: AuthStore, C: Crypto + Fetch, P: PatientDirectory> SignIn<'_, L, C, P> {
    /// Answers an authorization request. `posted` is true for a form.
    ///
    /// # Errors
    /// If the request is refused, and the error cannot be sent to the app.
    pub async fn authorize(&self, form: &[(String, String)], posted: bool) -> Result<Step, SignInError> {
        let (client, redirect, mut request) = match self.check_request(form).await {
            Ok(checked) => checked,
            Err(Refusal::Page(why)) => return Err(SignInError::Page(why)),
            Err(Refusal::Redirect(denial)) => {
                // The redirect address has been verified, so the client is known.
                let event_context = EventContext {
                    client: FormFields(form).get("client_id").map(str::to_owned),
                    ..EventContext::default()
                };
                let screen = Screen::Leave(denial.address(self.issuer));
                let events = vec![Event::failed("authorize", event_context, denial.code)];
                return Ok(Step { screen, cookie: None, events });
            }
            Err(Refusal::Broken(error)) => return Err(error.into()),
        };
        let (visit, cookie) = self.ensure_visit();
        if request.user.is_none() {
            // An `id_token_hint` that this server did not issue is ignored.
            request.user = self.read_hint(FormFields(form)).await?.map(|hint| hint.user);
        }
        let session = self.find_session().await?.filter(|session| !needs_sign_in(&request, session, self.now));
        let name = token_of(self.random, "pending authorization");
        let pending = PendingAuthorization {
            id: hashed(&name),
            visit: hashed(&visit),
            user: session.as_ref().map(|session| session.user.clone()),
            patient: None,
            encounter: None,
            request,
        };
        let verified = VerifiedRequest { name, pending, client, redirect };
        // A request that must not show a page, and for which nobody is signed in, is answered at once and not stored.
        if session.is_some() || !verified.request().prompts("none") {
            self.auth_store.store_pending(&verified.pending, self.now + PENDING_LIFE).await?;
        }
        let step = self.next_step(&verified, &visit, session.as_ref(), "").await?;
        if posted
            && matches!(
                step.screen,
                Screen::SignIn(_) | Screen::Pick(_) | Screen::PickEncounter(_) | Screen::Consent(_)
            )
        {
            // The next request shows the page and records its events.
            return Ok(Step { screen: Screen::Show(verified.next()), cookie, events: Vec::new() });
        }
        Ok(Step { cookie, ..step })
    }
}

impl<L: AuthStore, C: Crypto, P: PatientDirectory> SignIn<'_, L, C, P> {
    /// Returns the page with the next step of a pending authorization. It is the sign-in page after a failure, or if
    /// another user wants to sign in. It is the patient selection if the user wants to change the patient. The name of
    /// the request in the address is useless without the cookie of its browser.
    ///
    /// # Errors
    /// If this browser has no such pending authorization, or the storage does not answer.
    pub async fn resume(&self, fields: FormFields<'_>) -> Result<Step, SignInError> {
        let name = fields.get(PENDING_FIELD).ok_or(SignInError::Gone)?;
        let visit = self.user_agent.visit.as_deref().ok_or(SignInError::Gone)?;
        let (mut verified, session) = self.find_request(name, visit).await?;
        let failure = fields.get(FAILURE_PARAMETER).and_then(SignInFailure::named);
        if failure.is_some() || fields.get("switch").is_some() {
            return Ok(Screen::SignIn(self.sign_in_page(Some(&verified), visit, failure, true)).into());
        }
        let words = fields.get("search").and(self.user_agent.typed.as_deref()).unwrap_or_default();
        if fields.get("search").or(fields.get("pick")).is_some() {
            verified.pending.patient = None;
        }
        if fields.get("encounters").is_some() {
            verified.pending.encounter = None;
        }
        self.next_step(&verified, visit, session.as_ref(), words).await
    }

    /// Returns the cookie of the browser: the existing one, or a new one to set.
    fn ensure_visit(&self) -> (String, Option<Cookie>) {
        match self.user_agent.visit.clone() {
            Some(visit) => (visit, None),
            None => {
                let visit = token_of(self.random, "visit");
                (visit.clone(), Some(Cookie::Visit(visit)))
            }
        }
    }

    /// Returns the session of the browser, if it has not ended.
    async fn find_session(&self) -> Result<Option<Session>, SignInError> {
        match &self.user_agent.session {
            Some(cookie) => Ok(self.auth_store.session(&hashed(cookie), self.now).await?),
            None => Ok(None),
        }
    }

    /// Returns the cookie of the browser, if this server made the form for that browser and purpose.
    fn check_form(&self, fields: FormFields<'_>, purpose: &str) -> Result<&str, SignInError> {
        let visit = self.user_agent.visit.as_deref().ok_or(SignInError::Forged)?;
        let sent = fields.get("csrf").ok_or(SignInError::Forged)?;
        if same(&csrf_token(visit, purpose), sent) { Ok(visit) } else { Err(SignInError::Forged) }
    }

    /// Returns the pending authorization of a form, and the session.
    async fn verify_form(&self, fields: FormFields<'_>) -> Result<(VerifiedRequest, Option<Session>), SignInError> {
        let name = fields.get(PENDING_FIELD).ok_or(SignInError::Forged)?;
        let visit = self.check_form(fields, name)?;
        self.find_request(name, visit).await
    }

    /// Returns a pending authorization of this browser that has not ended, and the session.
    async fn find_request(&self, name: &str, visit: &str) -> Result<(VerifiedRequest, Option<Session>), SignInError> {
        let session = self.user_agent.session.as_deref().map(hashed);
        let (session, pending) = self.auth_store.resume(session.as_deref(), &hashed(name), self.now).await?;
        let pending = pending.filter(|pending| pending.visit == hashed(visit)).ok_or(SignInError::Gone)?;
        self.language.set(pending.request.language);
        let request = &pending.request;
        let client = known_client(self.auth_store, self.agents, self.issuer, &request.client_id).await?;
        let mut client = client.ok_or(SignInError::Gone)?;
        if let Some(name) = &request.client_name {
            // The document was read when the request was checked.
            client.name.clone_from(name);
            client.redirect_uris = vec![request.redirect_uri.clone()];
        }
        let redirect = VerifiedRedirect::of(&client.redirect_uris, &request.redirect_uri).ok_or(SignInError::Gone)?;
        Ok((VerifiedRequest { name: name.to_owned(), pending, client, redirect }, session))
    }

    /// Returns the hidden fields of the forms for a request.
    fn form_tokens(&self, verified: &VerifiedRequest, visit: &str) -> FormTokens {
        FormTokens {
            pending: Some(verified.name.clone()),
            csrf: csrf_token(visit, &verified.name),
            leads_to: Some(verified.redirect.origin()),
        }
    }
}

/// Returns whether the user has to sign in again, although there is a session. The time of a silent sign-in at an
/// identity provider is unknown. 0 is the same as `prompt=login` (OpenID Connect Core 1.0, section 3.1.2.1).
fn needs_sign_in(request: &AuthorizationRequest, session: &Session, now: i64) -> bool {
    let is_too_old = |most: i64| most == 0 || !session.was_prompted || now - session.since > most;
    request.prompts("login") || request.max_age.is_some_and(is_too_old)
}

/// Derives the CSRF token for one purpose from the cookie of the browser. Nobody can derive it without the cookie.
fn csrf_token(visit: &str, purpose: &str) -> String {
    hashed(&format!("csrf {purpose} {visit}"))
}
