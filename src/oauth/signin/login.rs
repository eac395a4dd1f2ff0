//! The sign-in page: name and password.

use super::device::{device_cookie, device_of, kept_devices};
use super::page::{FAILURE_PARAMETER, PENDING_FIELD, ProviderButton, SignInFailure, SignInPage};
use super::{Cookie, FormTokens, Screen, SignIn, SignInError, Step, VerifiedRequest, csrf_token};
use crate::auth_store::{AuthStore, PasswordAttempt, PasswordCounter, SESSION_LIFE, Session, User};
use crate::crypto::Crypto;
use crate::event::{Event, EventContext};
use crate::form_fields::FormFields;
use crate::password;
use crate::patients::PatientDirectory;
use crate::secret::{hashed, token_of};

/// The maximum length of a name that the form repeats, in bytes.
const MAX_NAME_LENGTH: usize = 256;
/// The number of wrong passwords for one account, from one network or on one device, that cause no wait.
const FREE: u32 = 16;
/// The number of wrong passwords from one network that cause no wait while an account is under attack. A correct
/// password from a network without wrong guesses is never refused.
const FREE_UNDER_ATTACK: u32 = 3;
/// The number of wrong passwords for one account, from all networks, at which the account counts as under attack.
const ATTACK: u32 = 200;
/// The number of wrong passwords from one network, for all accounts, that cause no wait.
const FREE_OF_NETWORK: u32 = 100;
/// The purpose of forms that do not belong to an authorization request.
pub const MANAGE: &str = "manage";

impl<L: AuthStore, C: Crypto, P: PatientDirectory> SignIn<'_, L, C, P> {
    /// Returns the sign-in page, for a request or for a user who comes without an app. Its form contains the name that
    /// was typed before, or the one that the EHR or the app's hint names.
    pub(super) fn sign_in_page(
        &self,
        verified: Option<&VerifiedRequest>,
        visit: &str,
        failure: Option<SignInFailure>,
        is_again: bool,
    ) -> SignInPage {
        let typed = self.user_agent.typed.as_ref().filter(|_| failure == Some(SignInFailure::Wrong));
        let suggested =
            verified.map(VerifiedRequest::request).and_then(|request| request.user.as_ref().or(request.hint.as_ref()));
        SignInPage {
            form_tokens: match verified {
                Some(verified) => self.form_tokens(verified, visit),
                None => FormTokens { pending: None, csrf: csrf_token(visit, MANAGE), leads_to: None },
            },
            app: verified.map(|verified| verified.client.title().to_owned()),
            name: typed.or(suggested).cloned().unwrap_or_default(),
            failure,
            providers: self.providers.iter().map(ProviderButton::of).collect(),
            is_again: is_again || failure.is_some(),
        }
    }

    /// Handles the sign-in form. An unknown name fails in the same way as a wrong password, and takes as long.
    ///
    /// # Errors
    /// If the form is not ours, there were too many wrong passwords, or the storage does not answer.
    pub async fn login(&self, fields: FormFields<'_>) -> Result<Step, SignInError> {
        if fields.get(PENDING_FIELD).is_some() {
            let (verified, _) = self.verify_form(fields).await?;
            return self.password_login(Some(&verified), fields).await;
        }
        self.check_form(fields, MANAGE)?;
        self.password_login(None, fields).await
    }

    /// Handles a sign-in by name and password from the app of a sandbox, which publishes both. It comes from no form of
    /// these pages, so the caller must check that the app has this origin.
    ///
    /// # Errors
    /// If there were too many wrong passwords, or the storage does not answer.
    pub async fn sandbox_login(&self, fields: FormFields<'_>) -> Result<Step, SignInError> {
        self.password_login(None, fields).await
    }

    async fn password_login(
        &self,
        verified: Option<&VerifiedRequest>,
        fields: FormFields<'_>,
    ) -> Result<Step, SignInError> {
        let next = verified.map(VerifiedRequest::next).unwrap_or_default();
        let name = fields.get("username").unwrap_or_default();
        let client = verified.map(|verified| verified.client.client_id.clone());
        let again = |failure: SignInFailure, user: Option<&User>| {
            let typed = if name.len() <= MAX_NAME_LENGTH { name } else { "" };
            Ok(Step {
                screen: Screen::Show(next.clone().with(FAILURE_PARAMETER, failure.name())),
                cookie: Some(Cookie::Typed(typed.to_owned())),
                events: vec![self.failed(client.as_ref(), user, name, failure.name())],
            })
        };
        let device = device_of(self.pepper, name, &self.user_agent.devices);
        let attempt = attempt(name, &self.user_agent.network, device);
        if let Some(wait) = self.auth_store.count_attempt(&attempt, self.now).await? {
            let (error, user) = (SignInError::TooMany(wait), self.auth_store.user(name).await?);
            let events = vec![self.failed(client.as_ref(), user.as_ref(), name, error.name())];
            return Ok(Step { screen: Screen::Error(error), cookie: None, events });
        }
        let known = self.auth_store.user(name).await?;
        let user = known.as_ref().filter(|user| !user.disabled);
        let stored = user.and_then(|user| user.password.as_deref());
        let sent = fields.get("password").unwrap_or_default();
        if !password::matches(self.crypto, self.pepper, stored, sent).await? {
            return again(SignInFailure::Wrong, known.as_ref());
        }
        self.auth_store.clear_failures(&attempt).await?;
        let user = user.ok_or(SignInError::Forged)?;
        self.begin_session(verified, user, ("login", true)).await
    }

    /// Begins the session of a user who has authenticated. The event in the audit log has the name `event`.
    /// `was_prompted` is as in [`Session`]. No session begins if the EHR launched the app for another user.
    pub(super) async fn begin_session(
        &self,
        verified: Option<&VerifiedRequest>,
        user: &User,
        (event, was_prompted): (&'static str, bool),
    ) -> Result<Step, SignInError> {
        let next = verified.map(VerifiedRequest::next).unwrap_or_default();
        let client = verified.map(|verified| verified.client.client_id.clone());
        let event_context = EventContext { client, user: Some(user.name.clone()), ..EventContext::default() };
        let expected = verified.and_then(|verified| verified.request().user.as_deref());
        if expected.is_some_and(|expected| expected != user.name) {
            let failure = SignInFailure::SomebodyElse.name();
            let screen = Screen::Show(next.with(FAILURE_PARAMETER, failure));
            let cookie = Some(Cookie::Typed(user.name.clone()));
            return Ok(Step { screen, cookie, events: vec![Event::failed(event, event_context, failure)] });
        }
        let cookie = token_of(self.random, "session");
        let session = Session { id: hashed(&cookie), user: user.name.clone(), since: self.now, was_prompted };
        let pending = verified.map(|verified| verified.pending.id.as_str());
        let earlier = self.user_agent.session.as_deref().map(hashed);
        self.auth_store.open_session(&session, pending, earlier.as_deref()).await?;
        let device = match device_of(self.pepper, &user.name, &self.user_agent.devices) {
            Some(known) => known.to_owned(),
            None => device_cookie(self.pepper, &user.name, &token_of(self.random, "device")),
        };
        let devices = kept_devices(&device, &self.user_agent.devices);
        let cookie = Some(Cookie::Session(cookie, SESSION_LIFE, devices));
        Ok(Step { screen: Screen::Show(next), cookie, events: vec![Event::done(event, event_context)] })
    }

    /// Returns the event of a failed sign-in. An unknown name is not logged, because people also type passwords there.
    fn failed(&self, client: Option<&String>, user: Option<&User>, name: &str, error: &'static str) -> Event {
        let event_context = EventContext {
            client: client.cloned(),
            user: user.map(|user| user.name.clone()),
            unknown_user: user.is_none().then(|| self.pepper.pseudonym("user", name)),
            ..EventContext::default()
        };
        Event::failed("login", event_context, error)
    }
}

/// Returns the counters of an attempt. A known device of the user has its own counter, which nobody else can exhaust.
/// Other attempts count by account and network, and by network. Names are hashed, as they may be passwords.
fn attempt(name: &str, network: &str, device: Option<&str>) -> PasswordAttempt {
    let user = hashed(name);
    if let Some(device) = device {
        let own = PasswordCounter {
            name: format!("login {user} device {}", hashed(device)),
            free: FREE,
            under_attack: FREE,
            is_shared: false,
        };
        return PasswordAttempt { counters: vec![own], account: None };
    }
    let pair = PasswordCounter {
        name: format!("login {user} {network}"),
        free: FREE,
        under_attack: FREE_UNDER_ATTACK,
        is_shared: false,
    };
    let all = PasswordCounter {
        name: format!("login from {network}"),
        free: FREE_OF_NETWORK,
        under_attack: FREE_OF_NETWORK,
        is_shared: true,
    };
    PasswordAttempt { counters: vec![pair, all], account: Some((format!("login {user}"), ATTACK)) }
}
