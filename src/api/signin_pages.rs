//! The pages under `/oauth` that people see: sign-in, patient selection, consent and management.

use std::cell::Cell;

use super::app_context::AppContext;
use super::audit::{AuditEntry, Events};
use super::call::{Call, Method};
use super::form::{FormPairs, decode, encode, is_form};
use super::pages::{self, Messages};
use super::patients::StorePatients;
use super::reply::{HeaderPolicy, Reply};
use super::sandbox::{self, Person};
use super::settings::Environment;
use super::throttle::WAIT;
use super::user_agent::{is_own, is_surely_own, keep, user_agent};
use crate::fhir::Language;
use crate::oauth::{
    AuthStore, Cookie, Crypto, Fetch, FormFields, NextPage, PENDING_FIELD, PasskeyChallenge, RequestFault, Screen,
    SignIn, SignInError, Step, UI_LOCALES,
};
use crate::store::Store;

/// The pages of the sign-in, by their paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInPath {
    /// `/oauth/authorize`
    Authorize,
    /// `/oauth/sign-in`
    Resume,
    /// `/oauth/login`
    Login,
    /// `/oauth/patient`
    Patient,
    /// `/oauth/consent`
    Consent,
    /// `/oauth/manage`
    Manage,
    /// `/oauth/provider`
    Provider,
    /// `/oauth/callback`
    Callback,
    /// `/oauth/passkey/challenge`
    Challenge,
    /// `/oauth/passkey`
    Passkey,
    /// `/oauth/passkeys`
    Passkeys,
    /// `/oauth/logout`
    SignOut,
    /// `/sandbox/sign-in`
    Sandbox,
}

impl SignInPath {
    /// The name in the audit log.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Authorize => "authorize",
            Self::Resume => "sign-in",
            Self::Login => "login",
            Self::Patient => "patient",
            Self::Consent => "consent",
            Self::Manage => "manage",
            Self::Provider => "provider",
            Self::Callback => "login-provider",
            Self::Challenge => "passkey-challenge",
            Self::Passkey => "login-passkey",
            Self::Passkeys => "passkeys",
            Self::SignOut => "sign-out",
            Self::Sandbox => "login-sandbox",
        }
    }
}

/// Answers a request for a page of the sign-in, or its form. The text is for the log.
pub async fn interact<S: Store, L: AuthStore, C: Crypto + Fetch>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    at: SignInPath,
    events: &mut Events,
) -> (Reply<S::Body>, Option<String>) {
    let settings = app.settings;
    let patients = StorePatients { store: &app.store, base: &settings.base };
    let signin = SignIn {
        auth_store: &app.auth_store,
        crypto: app.crypto,
        patients: &patients,
        pepper: &settings.pepper,
        keys: app.keys,
        documents: app.documents,
        providers: &settings.providers,
        passkeys: settings.passkeys,
        issuer: &settings.issuer,
        audience: &settings.base,
        now: call.moment.seconds(),
        random: &call.moment.random,
        user_agent: user_agent(call, settings),
        language: Cell::default(),
    };
    let taken = async {
        let mut form = parameters(call)?;
        if at == SignInPath::Login && settings.environment == Environment::Sandbox {
            sandbox::fill_in(&mut form);
        }
        let posted = call.method == Method::Post;
        // Other sites may send forms to authorize and to sign out. All other forms come from pages of this server.
        let fields = FormFields(&form);
        signin.language.set(fields.get(UI_LOCALES).and_then(Language::first));
        let open = at == SignInPath::Authorize || at == SignInPath::SignOut && fields.get("csrf").is_none();
        if posted && !open && !is_own(call, settings) {
            return Err(SignInError::Forged);
        }
        // The app has no form of these pages. The browser must say that it is of this origin.
        if at == SignInPath::Sandbox && !is_surely_own(call, settings) {
            return Err(SignInError::Forged);
        }
        // A link of another site begins no sign-in elsewhere.
        if at == SignInPath::Provider && !is_own(call, settings) {
            return Err(SignInError::Forged);
        }
        match at {
            SignInPath::Authorize if posted && signin.user_agent.visit.is_none() => as_get(call),
            SignInPath::Authorize => signin.authorize(&form, posted).await,
            SignInPath::Resume => signin.resume(fields).await,
            SignInPath::Login => signin.login(fields).await,
            SignInPath::Sandbox => signin.sandbox_login(fields).await,
            SignInPath::Patient => signin.patient(fields).await,
            SignInPath::Consent => signin.consent(fields).await,
            SignInPath::Manage if posted => signin.withdraw(fields).await,
            SignInPath::Manage => signin.manage(fields).await,
            SignInPath::Provider => signin.begin_at_provider(fields).await,
            SignInPath::Callback => signin.return_from_provider(fields).await,
            SignInPath::Challenge => signin.passkey_challenge(fields).await,
            SignInPath::Passkey => signin.passkey_login(fields).await,
            SignInPath::Passkeys => signin.change_passkeys(fields).await,
            SignInPath::SignOut => signin.sign_out(fields, posted).await,
        }
    };
    let taken = taken.await;
    let say = Messages::new(signin.language.get(), call);
    match taken {
        Ok(Step { screen, cookie, events: taken }) => {
            events.events = taken;
            let people = if matches!(screen, Screen::SignIn(_)) { sandbox::people(app).await } else { Vec::new() };
            let is_sandbox = settings.environment == Environment::Sandbox;
            let (reply, detail) = match (at, &screen) {
                (SignInPath::Sandbox, Screen::Show(_)) => (told(cookie.as_ref()), None),
                _ => shown(say, &screen, &people, is_sandbox),
            };
            (keep(reply, cookie.as_ref(), settings), detail)
        }
        Err(error) => {
            events.audit.insert(AuditEntry::new(at.name())).refused(error.name());
            refused(say, error)
        }
    }
}

/// The answer for the app of the sandbox: 204 with the cookie of a session, 403 without.
fn told<B>(cookie: Option<&Cookie>) -> Reply<B> {
    let status = if matches!(cookie, Some(Cookie::Session(..))) { 204 } else { 403 };
    Reply::empty(status, HeaderPolicy::Page)
}

/// The longest form for the authorization endpoint, in bytes. It becomes the query of an address.
const LONGEST_FORM: usize = 8 * 1024;

/// Redirects an authorization request by POST to the same request by GET. A browser sends no cookie with a form from
/// another site (`SameSite=Lax`), and a new cookie would replace that of a sign-in under way. With the GET it sends its
/// cookie.
fn as_get(call: &Call<'_>) -> Result<Step, SignInError> {
    let body = call.body.as_deref().filter(|body| body.len() <= LONGEST_FORM);
    let text = body.and_then(|body| std::str::from_utf8(body).ok()).ok_or(SignInError::Page(RequestFault::TooLong))?;
    if text.bytes().any(|byte| !byte.is_ascii_graphic() || byte == b'#') {
        return Err(SignInError::Page(RequestFault::Malformed));
    }
    Ok(Screen::Leave(format!("/oauth/authorize?{text}")).into())
}

fn parameters(call: &Call<'_>) -> Result<FormPairs, SignInError> {
    let bad = SignInError::Page(RequestFault::Malformed);
    if call.method != Method::Post {
        return decode(call.query.unwrap_or_default()).map_err(|_| bad);
    }
    if !is_form(call) {
        return Err(SignInError::Page(RequestFault::NoForm));
    }
    let body = call.body.as_deref().ok_or(SignInError::Page(RequestFault::TooLong))?;
    let text = std::str::from_utf8(body).map_err(|_| bad.clone())?;
    decode(text).map_err(|_| bad)
}

fn shown<B>(say: Messages, step: &Screen, people: &[Person], is_sandbox: bool) -> (Reply<B>, Option<String>) {
    let page = match step {
        Screen::Leave(address) => pages::redirect(address),
        Screen::Show(next) => pages::redirect(&address(say, next)),
        Screen::SignIn(page) => pages::sign_in(say, page, people),
        Screen::Pick(page) => pages::pick(say, page, is_sandbox),
        Screen::Consent(page) => pages::consent(say, page),
        Screen::Manage(page) => pages::manage(say, page),
        Screen::Challenge(challenge) => options(challenge),
        Screen::SignOut(page) => pages::sign_out(say, page),
        Screen::SignedOut => pages::signed_out(say),
        Screen::Error(error) => return refused(say, error.clone()),
    };
    (page, None)
}

/// The options of `navigator.credentials`, in JSON (Web Authentication Level 3, section 5.4 and 5.5).
fn options<B>(shown: &PasskeyChallenge) -> Reply<B> {
    let PasskeyChallenge { challenge, party, user, known } = shown;
    let options = match user {
        None => serde_json::json!({"challenge": challenge, "rpId": party, "userVerification": "required"}),
        Some((handle, name)) => {
            let known: Vec<_> = known.iter().map(|id| serde_json::json!({"type": "public-key", "id": id})).collect();
            let algorithms = [-7, -257].map(|alg| serde_json::json!({"type": "public-key", "alg": alg}));
            serde_json::json!({
                "challenge": challenge,
                "rp": {"id": party, "name": "edgechart"},
                "user": {"id": handle, "name": name, "displayName": name},
                "pubKeyCredParams": algorithms,
                "excludeCredentials": known,
                "authenticatorSelection": {"residentKey": "required", "userVerification": "required"},
                "attestation": "none",
            })
        }
    };
    Reply::text(200, HeaderPolicy::Page, options.to_string()).with("Content-Type", "application/json; charset=utf-8")
}

/// The address of a page of this server. A pending authorization has its language with it.
fn address(say: Messages, next: &NextPage) -> String {
    let path = if next.pending.is_some() { "/oauth/sign-in" } else { "/oauth/manage" };
    let pending = next.pending.as_deref().map(|name| (PENDING_FIELD, name));
    let parameter = next.parameter.as_ref().map(|(name, value)| (*name, value.as_str()));
    let language = (say.is_asked && pending.is_none()).then_some((UI_LOCALES, say.language.tag()));
    let query = encode(pending.into_iter().chain(parameter).chain(language));
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

fn refused<B>(say: Messages, error: SignInError) -> (Reply<B>, Option<String>) {
    match error {
        SignInError::Page(fault) => (pages::refusal(say, 400, say.leads_nowhere(), say.fault(fault)), None),
        SignInError::Gone => (pages::refusal(say, 400, say.has_ended(), say.begin_again()), None),
        SignInError::Forged => (pages::refusal(say, 400, say.not_valid_here(), say.begin_again()), None),
        SignInError::TooMany(wait) => (later(say, say.wrong_passwords(), wait), None),
        SignInError::Provider { detail, next } => (pages::provider_failed(say, &address(say, &next)), Some(detail)),
        SignInError::Broken(detail) => {
            (pages::refusal(say, 500, say.something_failed(), say.nothing_changed()), Some(detail))
        }
    }
}

/// The page for a network that has reached its limit. Nothing of the request is read for it but `Accept-Language`.
pub fn too_many<B>(call: &Call<'_>) -> Reply<B> {
    let say = Messages::new(None, call);
    later(say, say.busy_network(), WAIT)
}

/// A page that says in how many seconds to try again.
fn later<B>(say: Messages, text: &str, seconds: i64) -> Reply<B> {
    pages::refusal(say, 429, say.please_wait(), text).with("Retry-After", seconds.to_string())
}
