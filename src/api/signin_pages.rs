//! The pages under `/oauth` that people see: sign-in, patient selection, consent and management.

use super::app_context::AppContext;
use super::audit::{AuditEntry, Events};
use super::call::{Call, Method};
use super::form::{FormPairs, decode, encode, is_form};
use super::pages;
use super::patients::StorePatients;
use super::reply::{HeaderPolicy, Reply};
use super::sandbox::{self, Person};
use super::throttle::WAIT;
use super::user_agent::{is_own, keep, user_agent};
use crate::oauth::{
    AuthStore, Crypto, Fetch, FormFields, NextPage, PENDING_FIELD, PasskeyChallenge, Screen, SignIn, SignInError, Step,
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
    };
    let taken = async {
        let form = parameters(call)?;
        let posted = call.method == Method::Post;
        // Other sites may send forms to authorize and to sign out. All other forms come from pages of this server.
        let fields = FormFields(&form);
        let open = at == SignInPath::Authorize || at == SignInPath::SignOut && fields.get("csrf").is_none();
        if posted && !open && !is_own(call, settings) {
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
    match taken.await {
        Ok(Step { screen, cookie, events: taken }) => {
            events.events = taken;
            let people = if matches!(screen, Screen::SignIn(_)) { sandbox::people(app).await } else { Vec::new() };
            let (reply, detail) = shown(&screen, &people);
            (keep(reply, cookie.as_ref(), settings), detail)
        }
        Err(error) => {
            events.audit.insert(AuditEntry::new(at.name())).refused(error.name());
            refused(error)
        }
    }
}

/// The longest form for the authorization endpoint, in bytes. It becomes the query of an address.
const LONGEST_FORM: usize = 8 * 1024;

/// Redirects an authorization request by POST to the same request by GET. A browser sends no cookie with a form from
/// another site (`SameSite=Lax`), and a new cookie would replace that of a sign-in under way. With the GET it sends its
/// cookie.
fn as_get(call: &Call<'_>) -> Result<Step, SignInError> {
    let body = call.body.as_deref().filter(|body| body.len() <= LONGEST_FORM);
    let text =
        body.and_then(|body| std::str::from_utf8(body).ok()).ok_or(SignInError::Page("The request is too long."))?;
    if text.bytes().any(|byte| !byte.is_ascii_graphic() || byte == b'#') {
        return Err(SignInError::Page("The request is not well formed."));
    }
    Ok(Screen::Leave(format!("/oauth/authorize?{text}")).into())
}

fn parameters(call: &Call<'_>) -> Result<FormPairs, SignInError> {
    let bad = SignInError::Page("The request is not well formed.");
    if call.method != Method::Post {
        return decode(call.query.unwrap_or_default()).map_err(|_| bad);
    }
    if !is_form(call) {
        return Err(SignInError::Page("The body of the request is not a form."));
    }
    let body = call.body.as_deref().ok_or(SignInError::Page("The request is too long."))?;
    let text = std::str::from_utf8(body).map_err(|_| bad.clone())?;
    decode(text).map_err(|_| bad)
}

fn shown<B>(step: &Screen, people: &[Person]) -> (Reply<B>, Option<String>) {
    let page = match step {
        Screen::Leave(address) => pages::redirect(address),
        Screen::Show(next) => pages::redirect(&address(next)),
        Screen::SignIn(page) => pages::sign_in(page, people),
        Screen::Pick(page) => pages::pick(page),
        Screen::Consent(page) => pages::consent(page),
        Screen::Manage(page) => pages::manage(page),
        Screen::Challenge(challenge) => options(challenge),
        Screen::SignOut(page) => pages::sign_out(page),
        Screen::SignedOut => pages::signed_out(),
        Screen::Error(error) => return refused(error.clone()),
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

/// The address of a page of this server.
fn address(next: &NextPage) -> String {
    let path = if next.pending.is_some() { "/oauth/sign-in" } else { "/oauth/manage" };
    let pending = next.pending.as_deref().map(|name| (PENDING_FIELD, name));
    let parameter = next.parameter.as_ref().map(|(name, value)| (*name, value.as_str()));
    let query = encode(pending.into_iter().chain(parameter));
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

fn refused<B>(error: SignInError) -> (Reply<B>, Option<String>) {
    let again = "Please go back to the app and begin again there.";
    match error {
        SignInError::Page(why) => (pages::refusal(400, "This request leads nowhere", why), None),
        SignInError::Gone => (pages::refusal(400, "This request has ended", again), None),
        SignInError::Forged => (pages::refusal(400, "This form is not valid here", again), None),
        SignInError::TooMany(wait) => {
            let text = "There were too many wrong passwords. Please wait a little, then try again.";
            (later(text, wait), None)
        }
        SignInError::Provider { detail, next } => (pages::provider_failed(&address(&next)), Some(detail)),
        SignInError::Broken(detail) => {
            let text = "Nothing was changed. Please try again in a moment.";
            (pages::refusal(500, "Something did not work", text), Some(detail))
        }
    }
}

/// The page for a network that has reached its limit.
pub fn too_many<B>() -> Reply<B> {
    let text = "Too much comes from your network at once. Please try again in a minute.";
    later(text, WAIT)
}

/// A page that says in how many seconds to try again.
fn later<B>(text: &str, seconds: i64) -> Reply<B> {
    pages::refusal(429, "Please wait", text).with("Retry-After", seconds.to_string())
}
