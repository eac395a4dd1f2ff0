//! A person answers an authorization request: signs in, picks a patient, says what the app may do.
//!
//! The request is checked once and kept ([`Interaction`]); the pages carry nothing but its name and a token that only this
//! browser can know. What is due next is always found anew ([`SignIn::due`]), so no page can be skipped or forged.

mod consent;
mod device;
mod due;
mod login;
mod logout;
mod manage;
mod page;
mod patient;
mod patients;

pub use consent::is_context;
pub use device::{DEVICE_LIFE, MOST_DEVICES};
pub use page::{ConsentPage, ManagePage, Marks, Next, PickPage, SignInPage, SignOutPage, Trouble};
pub use patients::{PatientCard, Patients, Wanted};

use super::about::{About, Noted};
use super::authorize::{AuthorizationRequest, Refusal, VerifiedRedirect, checked, registered_scopes};
use super::client::Client;
use super::crypto::{Crypto, CryptoError};
use super::error::LedgerError;
use super::jwt::Keys;
use super::ledger::{Interaction, Ledger, Session};
use super::secret::{Pepper, hashed, same, token_of};
use crate::smart::ScopeSet;

/// How long a request waits for its answer, in seconds.
const INTERACTION_LIFE: i64 = 600;

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
    /// The keys that identity tokens are signed with.
    pub keys: &'a Keys,
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
pub struct Turn {
    /// What is shown.
    pub step: Step,
    /// What the browser is to keep.
    pub cookie: Option<Cookie>,
    /// What was done or shown, for the audit log.
    pub noted: Vec<Noted>,
}

/// What is shown next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Nothing: the browser goes back to the app.
    Leave(String),
    /// Nothing yet: the browser asks for a page of this server.
    Show(Next),
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
    Stop(Stop),
}

impl From<Step> for Turn {
    fn from(step: Step) -> Self {
        Self { step, cookie: None, noted: Vec::new() }
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

impl Stop {
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
    #[must_use]
    pub fn get(self, name: &str) -> Option<&'a str> {
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

    /// The page of what is due of it.
    fn next(&self) -> Next {
        Next { interaction: Some(self.name.clone()), parameter: None }
    }

    /// The scopes that are asked for.
    fn scopes(&self) -> Result<ScopeSet, Stop> {
        let request = self.request();
        if request.scope.is_empty() {
            return Ok(registered_scopes(&self.client, request.launch.is_some()));
        }
        ScopeSet::parse(&request.scope).map_err(|_| Stop::Gone)
    }

    /// What the audit log says of it: its app, and the user and the patient as far as they are known.
    fn about(&self, user: Option<&str>, patient: Option<&str>) -> About {
        let [user, patient] = [user, patient].map(|name| name.map(str::to_owned));
        About { client: Some(self.client.client_id.clone()), user, patient, ..About::default() }
    }
}

impl<L: Ledger, C: Crypto, P: Patients> SignIn<'_, L, C, P> {
    /// An app asks for authorization, by a link or by a form that was `posted`.
    ///
    /// # Errors
    /// Where nothing can be shown but a refusal.
    pub async fn authorize(&self, form: &[(String, String)], posted: bool) -> Result<Turn, Stop> {
        let (client, redirect, request) = match checked(self.ledger, form, self.audience, self.now).await {
            Ok(checked) => checked,
            Err(Refusal::Page(why)) => return Err(Stop::Page(why)),
            Err(Refusal::Redirect(denial)) => {
                // The address is one of this client's.
                let about = About { client: Fields(form).get("client_id").map(str::to_owned), ..About::default() };
                let step = Step::Leave(denial.address(self.issuer));
                let noted = vec![Noted::failed("authorize", about, denial.code.code())];
                return Ok(Turn { step, cookie: None, noted });
            }
            Err(Refusal::Broken(error)) => return Err(error.into()),
        };
        let (visit, cookie) = self.visit();
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
        let turn = self.due(&matter, &visit, session.as_ref(), "").await?;
        if posted && matches!(turn.step, Step::SignIn(_) | Step::Pick(_) | Step::Consent(_)) {
            // The page comes with the next request, and says then what it shows.
            return Ok(Turn { step: Step::Show(matter.next()), cookie, noted: Vec::new() });
        }
        Ok(Turn { cookie, ..turn })
    }

    /// The page that is due of a request under way; or the sign-in, where the last one failed or somebody else is to sign in;
    /// or the choice of a patient once more. The name of the request in the address opens nothing without the cookie of the
    /// browser that it is for.
    ///
    /// # Errors
    /// Where there is no such request of this browser, or the storage does not answer.
    pub async fn resume(&self, fields: Fields<'_>) -> Result<Turn, Stop> {
        let name = fields.get("interaction").ok_or(Stop::Gone)?;
        let visit = self.visitor.visit.as_deref().ok_or(Stop::Gone)?;
        let (mut matter, session) = self.under_way(name, visit).await?;
        let trouble = fields.get("trouble").and_then(Trouble::named);
        if trouble.is_some() || fields.get("switch").is_some() {
            return Ok(Step::SignIn(self.sign_in(Some(&matter), visit, trouble)).into());
        }
        let words = fields.get("search").and(self.visitor.typed.as_deref()).unwrap_or_default();
        if fields.get("search").or(fields.get("pick")).is_some() {
            matter.interaction.patient = None;
        }
        self.due(&matter, visit, session.as_ref(), words).await
    }

    /// The cookie of the browser: its own, or a new one that goes with the page.
    fn visit(&self) -> (String, Option<Cookie>) {
        match self.visitor.visit.clone() {
            Some(visit) => (visit, None),
            None => {
                let visit = token_of(self.random, "visit");
                (visit.clone(), Some(Cookie::Visit(visit)))
            }
        }
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
        let (matter, session) = self.under_way(name, visit).await?;
        Ok((matter, visit, session))
    }

    /// A request of this browser that has not ended, and who is signed in.
    async fn under_way(&self, name: &str, visit: &str) -> Result<(Matter, Option<Session>), Stop> {
        let session = self.visitor.session.as_deref().map(hashed);
        let (session, interaction) = self.ledger.under_way(session.as_deref(), &hashed(name), self.now).await?;
        let interaction = interaction.filter(|interaction| interaction.visit == hashed(visit)).ok_or(Stop::Gone)?;
        let client = self.ledger.client(&interaction.request.client_id).await?.filter(|client| !client.disabled);
        let client = client.ok_or(Stop::Gone)?;
        let redirect =
            VerifiedRedirect::of(&client.redirect_uris, &interaction.request.redirect_uri).ok_or(Stop::Gone)?;
        Ok((Matter { name: name.to_owned(), interaction, client, redirect }, session))
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
