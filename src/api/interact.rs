//! The addresses at which a person answers: authorize, sign in, pick a patient, consent, manage.

use super::audit::{Entry, Events};
use super::call::{Call, Method};
use super::desk::Desk;
use super::form::{Form, decode, encode, is_form};
use super::pages;
use super::patients::StorePatients;
use super::reply::{Class, Reply};
use super::sandbox::{self, Person};
use super::throttle::WAIT;
use super::visitor::{is_own, keep, visitor};
use crate::oauth::{Crypto, Fields, Ledger, Next, SignIn, Step, Stop, Turn};
use crate::store::Store;

/// The address of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
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
    /// `/oauth/logout`
    Logout,
}

impl At {
    /// As the audit log names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Authorize => "authorize",
            Self::Resume => "sign-in",
            Self::Login => "login",
            Self::Patient => "patient",
            Self::Consent => "consent",
            Self::Manage => "manage",
            Self::Logout => "sign-out",
        }
    }
}

/// Takes a step, and what only the log may know of it.
pub async fn interact<S: Store, L: Ledger, C: Crypto>(
    desk: &Desk<'_, S, L, C>,
    call: &Call<'_>,
    at: At,
    events: &mut Events,
) -> (Reply<S::Body>, Option<String>) {
    let settings = desk.settings;
    let patients = StorePatients { store: &desk.store, base: &settings.base };
    let signin = SignIn {
        ledger: &desk.ledger,
        crypto: desk.crypto,
        patients: &patients,
        pepper: &settings.pepper,
        keys: desk.keys,
        issuer: &settings.issuer,
        audience: &settings.base,
        now: call.moment.seconds(),
        random: &call.moment.random,
        visitor: visitor(call, settings),
    };
    let taken = async {
        let form = parameters(call)?;
        let posted = call.method == Method::Post;
        // Another site may well send somebody to authorize or to sign out by a form; all other forms are ours alone.
        let fields = Fields(&form);
        let open = at == At::Authorize || at == At::Logout && fields.get("csrf").is_none();
        if posted && !open && !is_own(call, settings) {
            return Err(Stop::Forged);
        }
        match at {
            At::Authorize if posted && signin.visitor.visit.is_none() => as_get(call),
            At::Authorize => signin.authorize(&form, posted).await,
            At::Resume => signin.resume(fields).await,
            At::Login => signin.login(fields).await,
            At::Patient => signin.patient(fields).await,
            At::Consent => signin.consent(fields).await,
            At::Manage if posted => signin.withdraw(fields).await,
            At::Manage => signin.manage(fields).await,
            At::Logout => signin.logout(fields, posted).await,
        }
    };
    match taken.await {
        Ok(Turn { step, cookie, noted }) => {
            events.noted = noted;
            let people = if matches!(step, Step::SignIn(_)) { sandbox::people(desk).await } else { Vec::new() };
            let (reply, detail) = shown(&step, &people);
            (keep(reply, cookie.as_ref(), settings), detail)
        }
        Err(stop) => {
            events.entry.insert(Entry::new(at.name())).refused(stop.name());
            stopped(stop)
        }
    }
}

/// The longest form that is sent to authorize, in bytes: it becomes an address.
const LONGEST_FORM: usize = 8 * 1024;

/// The same authorization request by GET. A browser sends no cookie with a form from another site (`SameSite=Lax`), and a
/// cookie that is set then would replace one under which another sign-in is under way. With the GET it sends it.
fn as_get(call: &Call<'_>) -> Result<Turn, Stop> {
    let body = call.body.as_deref().filter(|body| body.len() <= LONGEST_FORM);
    let text = body.and_then(|body| std::str::from_utf8(body).ok()).ok_or(Stop::Page("The request is too long."))?;
    if text.bytes().any(|byte| !byte.is_ascii_graphic() || byte == b'#') {
        return Err(Stop::Page("The request is not well formed."));
    }
    Ok(Step::Leave(format!("/oauth/authorize?{text}")).into())
}

fn parameters(call: &Call<'_>) -> Result<Form, Stop> {
    let bad = Stop::Page("The request is not well formed.");
    if call.method != Method::Post {
        return decode(call.query.unwrap_or_default()).map_err(|_| bad);
    }
    if !is_form(call) {
        return Err(Stop::Page("The body of the request is not a form."));
    }
    let body = call.body.as_deref().ok_or(Stop::Page("The request is too long."))?;
    let text = std::str::from_utf8(body).map_err(|_| bad.clone())?;
    decode(text).map_err(|_| bad)
}

fn shown<B>(step: &Step, people: &[Person]) -> (Reply<B>, Option<String>) {
    let page = match step {
        Step::Leave(address) => pages::redirect(address),
        Step::Show(next) => pages::redirect(&address(next)),
        Step::SignIn(page) => pages::sign_in(page, people),
        Step::Pick(page) => pages::pick(page),
        Step::Consent(page) => pages::consent(page),
        Step::Manage(page) => pages::manage(page),
        Step::SignOut(page) => pages::sign_out(page),
        Step::SignedOut => pages::signed_out(),
        Step::Stop(stop) => return stopped(stop.clone()),
    };
    (page, None)
}

/// The address of a page of ours.
fn address(next: &Next) -> String {
    let path = if next.interaction.is_some() { "/oauth/sign-in" } else { "/oauth/manage" };
    let interaction = next.interaction.as_deref().map(|name| ("interaction", name));
    let parameter = next.parameter.as_ref().map(|(name, value)| (*name, value.as_str()));
    let query = encode(interaction.into_iter().chain(parameter));
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

fn stopped<B>(stop: Stop) -> (Reply<B>, Option<String>) {
    let again = "Please go back to the app and begin again there.";
    match stop {
        Stop::Page(why) => (pages::refusal(400, "This request leads nowhere", why), None),
        Stop::Gone => (pages::refusal(400, "This request has ended", again), None),
        Stop::Forged => (pages::refusal(400, "This form is not valid here", again), None),
        Stop::TooMany(wait) => {
            let text = "There were too many wrong passwords. Please wait a little, then try again.";
            (later(text, wait), None)
        }
        Stop::Broken(detail) => {
            let text = "Nothing was changed. Please try again in a moment.";
            (pages::refusal(500, "Something did not work", text), Some(detail))
        }
    }
}

/// The network that asks has asked too often.
pub fn too_many<B>() -> Reply<B> {
    let text = "Too much comes from your network at once. Please try again in a minute.";
    later(text, WAIT)
}

/// Not now, but in so many seconds.
fn later<B>(text: &str, seconds: i64) -> Reply<B> {
    pages::refusal(429, "Please wait", text).with("Retry-After", seconds.to_string())
}

/// `/oauth/style.css`
pub fn style<B>() -> Reply<B> {
    Reply::text(200, Class::Style, pages::STYLE.to_owned())
}
