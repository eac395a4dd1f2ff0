//! The addresses at which a person answers: authorize, sign in, pick a patient, consent, manage.

use super::audit::Entry;
use super::call::{Call, Method};
use super::desk::Desk;
use super::form::{Form, decode, is_form};
use super::pages;
use super::patients::StorePatients;
use super::reply::{Class, Reply};
use super::settings::Settings;
use super::throttle::WAIT;
use super::visitor::{is_own, keep, visitor};
use crate::oauth::{Crypto, Fields, Ledger, SignIn, Step, Stop, Turn};
use crate::store::Store;

/// The address of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// `/oauth/authorize`
    Authorize,
    /// `/oauth/login`
    Login,
    /// `/oauth/patient`
    Patient,
    /// `/oauth/consent`
    Consent,
    /// `/oauth/manage`
    Manage,
}

impl At {
    /// As the audit log names it.
    const fn name(self) -> &'static str {
        match self {
            Self::Authorize => "authorize",
            Self::Login => "login",
            Self::Patient => "patient",
            Self::Consent => "consent",
            Self::Manage => "manage",
        }
    }
}

/// Takes a step, and what only the log may know of it.
pub async fn interact<S: Store, L: Ledger, C: Crypto>(
    desk: &Desk<'_, S, L, C>,
    call: &Call<'_>,
    at: At,
    entry: &mut Option<Entry>,
) -> (Reply<S::Body>, Option<String>) {
    let settings = desk.settings;
    let patients = StorePatients { store: &desk.store, base: &settings.base };
    let signin = SignIn {
        ledger: &desk.ledger,
        crypto: desk.crypto,
        patients: &patients,
        pepper: &settings.pepper,
        issuer: &settings.issuer,
        audience: &settings.base,
        now: call.moment.seconds(),
        random: &call.moment.random,
        visitor: visitor(call, settings),
    };
    let taken = async {
        let form = parameters(call)?;
        let posted = call.method == Method::Post;
        // Another site may well send somebody to authorize by a form; everything else is ours alone.
        if posted && at != At::Authorize && !is_own(call, settings) {
            return Err(Stop::Forged);
        }
        let fields = Fields(&form);
        match at {
            At::Authorize => signin.authorize(&form).await,
            At::Login => signin.login(fields).await,
            At::Patient => signin.patient(fields).await,
            At::Consent => signin.consent(fields).await,
            At::Manage if posted => signin.withdraw(fields).await,
            At::Manage => signin.manage().await,
        }
    };
    match taken.await {
        Ok(Turn { step, cookie, noted }) => {
            *entry = noted.map(|noted| Entry::noted(call, noted));
            (keep(shown(&step, settings), cookie.as_ref(), settings), None)
        }
        Err(stop) => {
            *entry = Some(Entry::new(call, at.name()));
            stopped(stop)
        }
    }
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

fn shown<B>(step: &Step, settings: &Settings) -> Reply<B> {
    match step {
        Step::Leave(address) => pages::redirect(address),
        Step::SignIn(page) => pages::sign_in(page, settings.environment),
        Step::Pick(page) => pages::pick(page),
        Step::Consent(page) => pages::consent(page),
        Step::Manage(page) => pages::manage(page),
    }
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
