//! A person answers an authorization request: signs in, picks a patient, says what the app may do.
//!
//! The request is checked once and kept ([`Interaction`]); the pages carry nothing but its name and a token that only this
//! browser can know. What is due next is always found anew ([`SignIn::due`]), so no page can be skipped or forged.

mod consent;
mod due;
mod login;
mod manage;
mod page;
mod patient;
mod patients;

pub use consent::is_context;
pub use page::{ConsentPage, ManagePage, Marks, PickPage, SignInPage, Trouble};
pub use patients::{PatientCard, Patients, Wanted};

use super::about::Noted;
use super::authorize::{AuthorizationRequest, Refusal, VerifiedRedirect, checked};
use super::client::Client;
use super::crypto::{Crypto, CryptoError};
use super::error::LedgerError;
use super::ledger::{Interaction, Ledger, Session};
use super::secret::{Pepper, hashed, same, token_of};

/// How long a request waits for its answer, in seconds.
const INTERACTION_LIFE: i64 = 600;
/// How long somebody stays signed in: a working day.
const SESSION_LIFE: i64 = 8 * 3_600;

/// What signing in works with.
#[derive(Debug)]
pub struct SignIn<'a, L, C, P> {
    /// Its memory.
    pub ledger: &'a L,
    /// The platform's cryptography.
    pub crypto: &'a C,
    /// Who knows the patients by name.
    pub patients: &'a P,
    /// What passwords are mixed with.
    pub pepper: &'a Pepper,
    /// The name of this server.
    pub issuer: &'a str,
    /// The FHIR base that tokens are for.
    pub audience: &'a str,
    /// Seconds since 1970.
    pub now: i64,
    /// 32 random bytes, for this call alone.
    pub random: &'a [u8; 32],
    /// The browser.
    pub visitor: Visitor,
}

/// A browser, as its cookies tell it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Visitor {
    /// The cookie of the browser.
    pub visit: Option<String>,
    /// The cookie of who is signed in there.
    pub session: Option<String>,
    /// Where it calls from.
    pub network: String,
}

/// A cookie that goes with a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cookie {
    /// That of the browser.
    Visit(String),
    /// That of who signed in, for so many seconds.
    Session(String, i64),
    /// Nobody is signed in any more.
    SignedOut,
}

/// What comes of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// What is shown.
    pub step: Step,
    /// What the browser is to keep.
    pub cookie: Option<Cookie>,
    /// What was done, for the audit log.
    pub noted: Option<Noted>,
}

/// What is shown next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Nothing: the browser goes back to the app.
    Leave(String),
    /// The sign-in.
    SignIn(SignInPage),
    /// The choice of a patient.
    Pick(PickPage),
    /// The question for consent.
    Consent(ConsentPage),
    /// What apps may do.
    Manage(ManagePage),
}

impl From<Step> for Turn {
    fn from(step: Step) -> Self {
        Self { step, cookie: None, noted: None }
    }
}

/// Why a step is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
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

impl From<LedgerError> for Stop {
    fn from(error: LedgerError) -> Self {
        Self::Broken(error.0)
    }
}

impl From<CryptoError> for Stop {
    fn from(error: CryptoError) -> Self {
        Self::Broken(error.0)
    }
}

/// The fields of a form.
#[derive(Debug, Clone, Copy)]
pub struct Fields<'a>(pub &'a [(String, String)]);

impl<'a> Fields<'a> {
    /// A field's value; an empty one counts as absent.
    fn get(self, name: &str) -> Option<&'a str> {
        self.all(name).next().filter(|value| !value.is_empty())
    }

    fn all(self, name: &str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(of, _)| of == name).map(|(_, value)| value.as_str())
    }
}

/// An interaction that a form belongs to, with everything that its request was checked against.
struct Matter {
    name: String,
    interaction: Interaction,
    client: Client,
    redirect: VerifiedRedirect,
}

impl Matter {
    const fn request(&self) -> &AuthorizationRequest {
        &self.interaction.request
    }
}

impl<L: Ledger, C: Crypto, P: Patients> SignIn<'_, L, C, P> {
    /// An app asks for authorization.
    ///
    /// # Errors
    /// Where nothing can be shown but a refusal.
    pub async fn authorize(&self, form: &[(String, String)]) -> Result<Turn, Stop> {
        let (client, redirect, request) = match checked(self.ledger, form, self.audience, self.now).await {
            Ok(checked) => checked,
            Err(Refusal::Page(why)) => return Err(Stop::Page(why)),
            Err(Refusal::Redirect(denial)) => return Ok(Step::Leave(denial.address(self.issuer)).into()),
            Err(Refusal::Broken(error)) => return Err(error.into()),
        };
        let (visit, cookie) = match self.visitor.visit.clone() {
            Some(visit) => (visit, None),
            None => {
                let visit = token_of(self.random, "visit");
                (visit.clone(), Some(Cookie::Visit(visit)))
            }
        };
        let session = if request.prompts("login") { None } else { self.session().await? };
        let name = token_of(self.random, "interaction");
        let interaction = Interaction {
            id: hashed(&name),
            visit: hashed(&visit),
            user: session.as_ref().map(|session| session.user.clone()),
            patient: None,
            request,
        };
        let matter = Matter { name, interaction, client, redirect };
        // Nothing needs to be remembered of a request that may show nothing and finds nobody.
        if session.is_some() || !matter.request().prompts("none") {
            self.ledger.begin(&matter.interaction, self.now + INTERACTION_LIFE).await?;
        }
        let step = self.due(&matter, &visit, session.as_ref()).await?;
        Ok(Turn { step, cookie, noted: None })
    }

    /// Who is signed in.
    async fn session(&self) -> Result<Option<Session>, Stop> {
        match &self.visitor.session {
            Some(cookie) => Ok(self.ledger.session(&hashed(cookie), self.now).await?),
            None => Ok(None),
        }
    }

    /// The cookie of the browser, where the form is one that this server showed it, for that purpose.
    fn own_form(&self, fields: Fields<'_>, purpose: &str) -> Result<&str, Stop> {
        let visit = self.visitor.visit.as_deref().ok_or(Stop::Forged)?;
        let sent = fields.get("csrf").ok_or(Stop::Forged)?;
        if same(&mark(visit, purpose), sent) { Ok(visit) } else { Err(Stop::Forged) }
    }

    /// What a form is about, and who is signed in.
    async fn matter(&self, fields: Fields<'_>) -> Result<(Matter, &str, Option<Session>), Stop> {
        let name = fields.get("interaction").ok_or(Stop::Forged)?;
        let visit = self.own_form(fields, name)?;
        let session = self.visitor.session.as_deref().map(hashed);
        let (session, interaction) = self.ledger.under_way(session.as_deref(), &hashed(name), self.now).await?;
        let interaction = interaction.filter(|interaction| interaction.visit == hashed(visit)).ok_or(Stop::Gone)?;
        let client = self.ledger.client(&interaction.request.client_id).await?.filter(|client| !client.disabled);
        let client = client.ok_or(Stop::Gone)?;
        let redirect = VerifiedRedirect::of(&client, &interaction.request.redirect_uri).ok_or(Stop::Gone)?;
        Ok((Matter { name: name.to_owned(), interaction, client, redirect }, visit, session))
    }

    /// What a form about it carries.
    fn marks(&self, matter: &Matter, visit: &str) -> Marks {
        Marks {
            interaction: Some(matter.name.clone()),
            csrf: mark(visit, &matter.name),
            leads_to: Some(matter.redirect.origin()),
        }
    }
}

/// A token for the forms of one purpose, which nobody can make who does not have the cookie.
fn mark(visit: &str, purpose: &str) -> String {
    hashed(&format!("csrf {purpose} {visit}"))
}
