//! The pages under `/oauth` for people: sign-in, patient selection, consent and management.

use std::cell::Cell;

use super::pages::{self, Messages};
use super::patients::StorePatients;
use super::sandbox;
use super::user_agent::{is_permitted, keep, user_agent};
use crate::app_context::AppContext;
use crate::audit::Events;
use crate::configuration::settings::{Environment, Settings};
use crate::http::call::{Call, Method};
use crate::http::form::{FormPairs, decode, encode, is_form};
use crate::http::reply::{HeaderPolicy, Reply};
use crate::http::routes::{OriginPolicy, Route, SignInPath};
use crate::http::throttle::WAIT;
use fhir::Language;
use oauth::{
    AuthStore, Cookie, Crypto, Fetch, FormFields, NextPage, PENDING_FIELD, PatientDirectory, RequestFault, Screen,
    SignIn, SignInError, Step, UI_LOCALES,
};
use store::Store;

/// Answers a request for a page of the sign-in, or its form. The text is for the log.
pub async fn answer_sign_in<S: Store, L: AuthStore, C: Crypto + Fetch>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    route: &Route,
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
        agents: settings.admitted_agents(),
        refresh_days: settings.refresh_days,
        issuer: &settings.issuer,
        audience: &settings.base,
        now: call.moment.seconds(),
        random: &call.moment.random,
        user_agent: user_agent(call, settings),
        language: Cell::default(),
    };
    let step = take_step(&signin, call, settings, route.origins, at).await;
    let messages = Messages::new(signin.language.get(), call);
    match step {
        Ok(Step { screen, cookie, events: of_step }) => {
            events.events = of_step;
            let (reply, detail) = match (at, &screen) {
                (SignInPath::Sandbox, Screen::Show(_)) => (session_reply(cookie.as_ref()), None),
                _ => render(app, messages, &screen).await,
            };
            (keep(reply, cookie.as_ref(), settings), detail)
        }
        Err(error) => {
            events.begin(route.event).record_refusal(error.name());
            render_error(messages, error)
        }
    }
}

async fn take_step<L: AuthStore, C: Crypto + Fetch, P: PatientDirectory>(
    signin: &SignIn<'_, L, C, P>,
    call: &Call<'_>,
    settings: &Settings,
    origins: OriginPolicy,
    at: SignInPath,
) -> Result<Step, SignInError> {
    let mut form = parameters(call)?;
    if at == SignInPath::Login && settings.environment == Environment::Sandbox {
        sandbox::fill_in(&mut form);
    }
    let fields = FormFields(&form);
    signin.language.set(fields.get(UI_LOCALES).and_then(Language::first));
    if !is_permitted(origins, call, fields.get("csrf").is_some(), settings) {
        return Err(SignInError::Forged);
    }
    let posted = call.method == Method::Post;
    match at {
        SignInPath::Authorize if posted && signin.user_agent.visit.is_none() => as_get(call),
        SignInPath::Authorize => signin.authorize(&form, posted).await,
        SignInPath::Resume => signin.resume(fields).await,
        SignInPath::Login => signin.login(fields).await,
        SignInPath::Sandbox => signin.sandbox_login(fields).await,
        SignInPath::Patient => signin.select_patient(fields).await,
        SignInPath::Consent => signin.decide(fields).await,
        SignInPath::Manage if posted => signin.withdraw(fields).await,
        SignInPath::Manage => signin.manage(fields).await,
        SignInPath::Provider => signin.begin_at_provider(fields).await,
        SignInPath::Callback => signin.return_from_provider(fields).await,
        SignInPath::SignOut => signin.sign_out(fields, posted).await,
    }
}

/// Returns the answer to the app of the sandbox: 204 with the session cookie, or 403 without.
fn session_reply<B>(cookie: Option<&Cookie>) -> Reply<B> {
    let status = if matches!(cookie, Some(Cookie::Session(..))) { 204 } else { 403 };
    Reply::empty(status, HeaderPolicy::Page)
}

/// The longest form for the authorization endpoint, in bytes: a request of 8 KiB, percent-encoded. It becomes the query
/// of an address, which platforms accept up to 16 KiB.
const MAX_FORM_LENGTH: usize = 15 * 1024;

/// Redirects an authorization request by POST to the same request by GET, with which the browser sends its cookie. It
/// does not with a form from another site (`SameSite=Lax`), and a new cookie would replace that of a current sign-in.
fn as_get(call: &Call<'_>) -> Result<Step, SignInError> {
    let body = call.body.as_deref().filter(|body| body.len() <= MAX_FORM_LENGTH);
    let text = body.and_then(|body| std::str::from_utf8(body).ok()).ok_or(SignInError::Page(RequestFault::TooLong))?;
    if text.bytes().any(|byte| !byte.is_ascii_graphic() || byte == b'#') {
        return Err(SignInError::Page(RequestFault::Malformed));
    }
    Ok(Screen::Leave(format!("/oauth/authorize?{text}")).into())
}

fn parameters(call: &Call<'_>) -> Result<FormPairs, SignInError> {
    let bad = SignInError::Page(RequestFault::Malformed);
    if call.method != Method::Post {
        return decode(call.query()).map_err(|_| bad);
    }
    if !is_form(call) {
        return Err(SignInError::Page(RequestFault::NoForm));
    }
    let body = call.body.as_deref().ok_or(SignInError::Page(RequestFault::TooLong))?;
    let text = std::str::from_utf8(body).map_err(|_| bad.clone())?;
    decode(text).map_err(|_| bad)
}

/// Renders a screen. The text is for the log.
async fn render<S: Store, L: AuthStore, C>(
    app: &AppContext<'_, S, L, C>,
    messages: Messages,
    screen: &Screen,
) -> (Reply<S::Body>, Option<String>) {
    let page = match screen {
        Screen::Leave(address) => pages::redirect(address),
        Screen::Show(next) => pages::redirect(&address(messages, next)),
        Screen::SignIn(page) => pages::sign_in(messages, page, &sandbox::people(app).await),
        Screen::Pick(page) => return (pages::pick(messages, page), page.unread.clone()),
        Screen::PickEncounter(page) => pages::pick_encounter(messages, page),
        Screen::Consent(page) => pages::consent(messages, page),
        Screen::Manage(page) => pages::manage(messages, page),
        Screen::SignOut(page) => pages::sign_out(messages, page),
        Screen::SignedOut => pages::signed_out(messages),
        Screen::Error(error) => return render_error(messages, error.clone()),
    };
    (page, None)
}

/// Returns the address of a page of this server. A pending authorization stores its own language.
fn address(messages: Messages, next: &NextPage) -> String {
    let path = if next.pending.is_some() { "/oauth/sign-in" } else { "/oauth/manage" };
    let pending = next.pending.as_deref().map(|name| (PENDING_FIELD, name));
    let parameter = next.parameter.as_ref().map(|(name, value)| (*name, value.as_str()));
    let language = (messages.is_requested && pending.is_none()).then_some((UI_LOCALES, messages.language.tag()));
    let query = encode(pending.into_iter().chain(parameter).chain(language));
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

/// Returns the page for an error. The text is for the log.
fn render_error<B>(messages: Messages, error: SignInError) -> (Reply<B>, Option<String>) {
    match error {
        SignInError::Page(fault) => {
            (pages::refusal(messages, 400, messages.leads_nowhere(), messages.fault(fault)), None)
        }
        SignInError::Gone => (pages::ended(messages), None),
        SignInError::Forged => (pages::refusal(messages, 400, messages.not_valid_here(), messages.begin_again()), None),
        SignInError::TooMany(wait) => (wait_page(messages, messages.wrong_passwords(), wait), None),
        SignInError::Provider { detail, next } => {
            (pages::provider_failed(messages, &address(messages, &next)), Some(detail))
        }
        SignInError::Broken(detail) => {
            (pages::refusal(messages, 500, messages.something_failed(), messages.nothing_changed()), Some(detail))
        }
    }
}

/// Returns the page for a network that has reached its limit. It uses nothing of the request except `Accept-Language`.
pub fn too_many<B>(call: &Call<'_>) -> Reply<B> {
    let messages = Messages::new(None, call);
    wait_page(messages, messages.busy_network(), WAIT)
}

/// Returns a page that states after how many seconds to try again.
fn wait_page<B>(messages: Messages, text: &str, seconds: i64) -> Reply<B> {
    pages::refusal(messages, 429, messages.please_wait(), text).with("Retry-After", seconds.to_string())
}
