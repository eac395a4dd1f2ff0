//! A person answers an authorization request: signs in, picks a patient, says what the app may do.
//!
//! The request is checked once and kept ([`PendingAuthorization`]); the pages carry nothing but its name and a token that only this
//! browser can know. What is due next is always found anew ([`SignIn::next_step`]), so no page can be skipped or forged.

mod consent;
mod device;
mod login;
mod logout;
mod manage;
mod next_step;
mod page;
mod patient;
mod patients;

pub use consent::is_context;
pub use device::{DEVICE_LIFE, MOST_DEVICES};
pub use page::{ConsentPage, FormTokens, ManagePage, NextPage, PickPage, SignInFailure, SignInPage, SignOutPage};
pub use patients::{PatientCard, PatientDirectory, PatientQuery};

use super::auth_store::{AuthStore, PendingAuthorization, Session};
use super::authorize::{AuthorizationRequest, Refusal, VerifiedRedirect, checked, registered_scopes};
use super::client::Client;
use super::crypto::{Crypto, CryptoError};
use super::error::AuthStoreError;
use super::event::{Event, EventContext};
use super::jwt::SigningKeys;
use super::secret::{Pepper, hashed, same, token_of};
use crate::smart::ScopeSet;

/// How long a request waits for its answer, in seconds.
const PENDING_LIFE: i64 = 600;

/// What signing in works with.
#[derive(Debug)]
pub struct SignIn<'a, L, C, P> {
    /// Its memory.
    pub auth_store: &'a L,
    /// The platform's cryptography.
    pub crypto: &'a C,
    /// Who knows the patients by name.
    pub patients: &'a P,
    /// What passwords are mixed with.
    pub pepper: &'a Pepper,
    /// The keys that identity tokens are signed with.
    pub keys: &'a SigningKeys,
    /// The name of this server.
    pub issuer: &'a str,
    /// The FHIR base that tokens are for.
    pub audience: &'a str,
    /// Seconds since 1970.
    pub now: i64,
    /// 32 random bytes, for this call alone.
    pub random: &'a [u8; 32],
    /// The browser.
    pub user_agent: UserAgent,
}

/// A browser, as its cookies tell it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserAgent {
    /// The cookie of the browser.
    pub visit: Option<String>,
    /// The cookie of who is signed in there.
    pub session: Option<String>,
    /// What was typed into the form before: a name, or the words of a search.
    pub typed: Option<String>,
    /// The device cookies of those who signed in there before.
    pub devices: Vec<String>,
    /// Where it calls from.
    pub network: String,
}

/// A cookie that goes with a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cookie {
    /// That of the browser.
    Visit(String),
    /// That of who signed in, for so many seconds, and the device cookies of the browser.
    Session(String, i64, String),
    /// Nobody is signed in any more.
    SignedOut,
    /// What was typed into a form, for the page that follows. The browser keeps it, and this server does not: people type
    /// passwords into the wrong field.
    Typed(String),
}

/// What comes of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What is shown.
    pub screen: Screen,
    /// What the browser is to keep.
    pub cookie: Option<Cookie>,
    /// What was done or shown, for the audit log.
    pub events: Vec<Event>,
}

/// What is shown next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Screen {
    /// Nothing: the browser goes back to the app.
    Leave(String),
    /// Nothing yet: the browser asks for a page of this server.
    Show(NextPage),
    /// The sign-in.
    SignIn(SignInPage),
    /// The choice of a patient.
    Pick(PickPage),
    /// The question for consent.
    Consent(ConsentPage),
    /// What apps may do.
    Manage(ManagePage),
    /// The question whether to sign out.
    SignOut(SignOutPage),
    /// Nobody is signed in any more.
    SignedOut,
    /// A refusal of which more is known than why.
    Error(SignInError),
}

impl From<Screen> for Step {
    fn from(screen: Screen) -> Self {
        Self { screen, cookie: None, events: Vec::new() }
    }
}

/// Why a step is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignInError {
    /// The request leads nowhere, and the app cannot be told.
    Page(&'static str),
    /// The request was answered, or waited too long.
    Gone,
    /// The form is not one of ours, or not this browser's.
    Forged,
    /// Too many wrong passwords: so many seconds.
    TooMany(i64),
    /// Something did not answer. For the log.
    Broken(String),
}

impl SignInError {
    /// Its name in the audit log.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Page(_) => "invalid_request",
            Self::Gone => "expired",
            Self::Forged => "forged",
            Self::TooMany(_) => "throttled",
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

/// The fields of a form.
#[derive(Debug, Clone, Copy)]
pub struct FormFields<'a>(pub &'a [(String, String)]);

impl<'a> FormFields<'a> {
    /// A field's value; an empty one counts as absent.
    #[must_use]
    pub fn get(self, name: &str) -> Option<&'a str> {
        self.all(name).next().filter(|value| !value.is_empty())
    }

    fn all(self, name: &str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(of, _)| of == name).map(|(_, value)| value.as_str())
    }
}

/// An pending authorization that a form belongs to, with everything that its request was checked against.
struct ActiveAuthorization {
    name: String,
    pending: PendingAuthorization,
    client: Client,
    redirect: VerifiedRedirect,
}

impl ActiveAuthorization {
    const fn request(&self) -> &AuthorizationRequest {
        &self.pending.request
    }

    /// The page of what is due of it.
    fn next(&self) -> NextPage {
        NextPage { pending: Some(self.name.clone()), parameter: None }
    }

    /// The scopes that are asked for.
    fn scopes(&self) -> Result<ScopeSet, SignInError> {
        let request = self.request();
        if request.scope.is_empty() {
            return Ok(registered_scopes(&self.client, request.launch.is_some()));
        }
        ScopeSet::parse(&request.scope).map_err(|_| SignInError::Gone)
    }

    /// What the audit log says of it: its app, and the user and the patient as far as they are known.
    fn about(&self, user: Option<&str>, patient: Option<&str>) -> EventContext {
        let [user, patient] = [user, patient].map(|name| name.map(str::to_owned));
        EventContext { client: Some(self.client.client_id.clone()), user, patient, ..EventContext::default() }
    }
}

impl<L: AuthStore, C: Crypto, P: PatientDirectory> SignIn<'_, L, C, P> {
    /// An app asks for authorization, by a link or by a form that was `posted`.
    ///
    /// # Errors
    /// If nothing can be shown but a refusal.
    pub async fn authorize(&self, form: &[(String, String)], posted: bool) -> Result<Step, SignInError> {
        let (client, redirect, request) = match checked(self.auth_store, form, self.audience, self.now).await {
            Ok(checked) => checked,
            Err(Refusal::Page(why)) => return Err(SignInError::Page(why)),
            Err(Refusal::Redirect(denial)) => {
                // The address is one of this client's.
                let about = EventContext {
                    client: FormFields(form).get("client_id").map(str::to_owned),
                    ..EventContext::default()
                };
                let screen = Screen::Leave(denial.address(self.issuer));
                let events = vec![Event::failed("authorize", about, denial.code.code())];
                return Ok(Step { screen, cookie: None, events });
            }
            Err(Refusal::Broken(error)) => return Err(error.into()),
        };
        let (visit, cookie) = self.visit();
        let session = if request.prompts("login") { None } else { self.session().await? };
        let name = token_of(self.random, "interaction");
        let pending = PendingAuthorization {
            id: hashed(&name),
            visit: hashed(&visit),
            user: session.as_ref().map(|session| session.user.clone()),
            patient: None,
            request,
        };
        let active = ActiveAuthorization { name, pending, client, redirect };
        // Nothing needs to be remembered of a request that may show nothing and finds nobody.
        if session.is_some() || !active.request().prompts("none") {
            self.auth_store.begin(&active.pending, self.now + PENDING_LIFE).await?;
        }
        let step = self.next_step(&active, &visit, session.as_ref(), "").await?;
        if posted && matches!(step.screen, Screen::SignIn(_) | Screen::Pick(_) | Screen::Consent(_)) {
            // The page comes with the next request, and says then what it shows.
            return Ok(Step { screen: Screen::Show(active.next()), cookie, events: Vec::new() });
        }
        Ok(Step { cookie, ..step })
    }

    /// The page that is due of a request under way; or the sign-in, where the last one failed or somebody else is to sign in;
    /// or the choice of a patient once more. The name of the request in the address opens nothing without the cookie of the
    /// browser that it is for.
    ///
    /// # Errors
    /// If there is no such request of this browser, or the storage does not answer.
    pub async fn resume(&self, fields: FormFields<'_>) -> Result<Step, SignInError> {
        let name = fields.get("interaction").ok_or(SignInError::Gone)?;
        let visit = self.user_agent.visit.as_deref().ok_or(SignInError::Gone)?;
        let (mut active, session) = self.under_way(name, visit).await?;
        let trouble = fields.get("trouble").and_then(SignInFailure::named);
        if trouble.is_some() || fields.get("switch").is_some() {
            return Ok(Screen::SignIn(self.sign_in(Some(&active), visit, trouble)).into());
        }
        let words = fields.get("search").and(self.user_agent.typed.as_deref()).unwrap_or_default();
        if fields.get("search").or(fields.get("pick")).is_some() {
            active.pending.patient = None;
        }
        self.next_step(&active, visit, session.as_ref(), words).await
    }

    /// The cookie of the browser: its own, or a new one that goes with the page.
    fn visit(&self) -> (String, Option<Cookie>) {
        match self.user_agent.visit.clone() {
            Some(visit) => (visit, None),
            None => {
                let visit = token_of(self.random, "visit");
                (visit.clone(), Some(Cookie::Visit(visit)))
            }
        }
    }

    /// Who is signed in.
    async fn session(&self) -> Result<Option<Session>, SignInError> {
        match &self.user_agent.session {
            Some(cookie) => Ok(self.auth_store.session(&hashed(cookie), self.now).await?),
            None => Ok(None),
        }
    }

    /// The cookie of the browser, where the form is one that this server showed it, for that purpose.
    fn own_form(&self, fields: FormFields<'_>, purpose: &str) -> Result<&str, SignInError> {
        let visit = self.user_agent.visit.as_deref().ok_or(SignInError::Forged)?;
        let sent = fields.get("csrf").ok_or(SignInError::Forged)?;
        if same(&mark(visit, purpose), sent) { Ok(visit) } else { Err(SignInError::Forged) }
    }

    /// What a form is about, and who is signed in.
    async fn active(
        &self,
        fields: FormFields<'_>,
    ) -> Result<(ActiveAuthorization, &str, Option<Session>), SignInError> {
        let name = fields.get("interaction").ok_or(SignInError::Forged)?;
        let visit = self.own_form(fields, name)?;
        let (active, session) = self.under_way(name, visit).await?;
        Ok((active, visit, session))
    }

    /// A request of this browser that has not ended, and who is signed in.
    async fn under_way(&self, name: &str, visit: &str) -> Result<(ActiveAuthorization, Option<Session>), SignInError> {
        let session = self.user_agent.session.as_deref().map(hashed);
        let (session, pending) = self.auth_store.under_way(session.as_deref(), &hashed(name), self.now).await?;
        let pending = pending.filter(|pending| pending.visit == hashed(visit)).ok_or(SignInError::Gone)?;
        let client = self.auth_store.client(&pending.request.client_id).await?.filter(|client| !client.disabled);
        let client = client.ok_or(SignInError::Gone)?;
        let redirect =
            VerifiedRedirect::of(&client.redirect_uris, &pending.request.redirect_uri).ok_or(SignInError::Gone)?;
        Ok((ActiveAuthorization { name: name.to_owned(), pending, client, redirect }, session))
    }

    /// What a form about it carries.
    fn marks(&self, active: &ActiveAuthorization, visit: &str) -> FormTokens {
        FormTokens {
            pending: Some(active.name.clone()),
            csrf: mark(visit, &active.name),
            leads_to: Some(active.redirect.origin()),
        }
    }
}

/// A token for the forms of one purpose, which nobody can make who does not have the cookie.
fn mark(visit: &str, purpose: &str) -> String {
    hashed(&format!("csrf {purpose} {visit}"))
}
