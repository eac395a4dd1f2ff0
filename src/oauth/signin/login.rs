//! A person signs in, by name and password.

use super::page::{SignInPage, Trouble};
use super::{Cookie, Fields, Marks, Matter, SESSION_LIFE, SignIn, Step, Stop, Turn, mark};
use crate::oauth::about::{About, Noted};
use crate::oauth::crypto::Crypto;
use crate::oauth::ledger::{Ledger, Session, Tally};
use crate::oauth::password;
use crate::oauth::secret::{hashed, token_of};
use crate::oauth::signin::patients::Patients;

/// Wrong passwords that are free: for a name from one place, for a name, from one place.
const FREE: [u32; 3] = [16, 200, 100];
/// What forms carry that are about no request.
pub const MANAGE: &str = "manage";

impl<L: Ledger, C: Crypto, P: Patients> SignIn<'_, L, C, P> {
    /// The page for it: about a request, with the name that the EHR said, or for a person who comes without an app.
    pub(super) fn sign_in(&self, matter: Option<&Matter>, visit: &str, trouble: Option<Trouble>) -> SignInPage {
        SignInPage {
            marks: match matter {
                Some(matter) => self.marks(matter, visit),
                None => Marks { interaction: None, csrf: mark(visit, MANAGE), leads_to: None },
            },
            app: matter.map(|matter| matter.client.title().to_owned()),
            name: matter.and_then(|matter| matter.request().user.clone()).unwrap_or_default(),
            trouble,
        }
    }

    /// Name and password came. A name that nobody has fails as a wrong password does, and as slowly.
    ///
    /// # Errors
    /// Where the form is not one of ours, there were too many wrong ones, or the storage does not answer.
    pub async fn login(&self, fields: Fields<'_>) -> Result<Turn, Stop> {
        let mut matter = None;
        let visit = if fields.get("interaction").is_some() {
            let (found, visit, _) = self.matter(fields).await?;
            matter = Some(found);
            visit
        } else {
            self.own_form(fields, MANAGE)?
        };
        let name = fields.get("username").unwrap_or_default();
        let client = matter.as_ref().map(|matter| matter.client.client_id.clone());
        let about = About { client, ..About::default() };
        let again = |trouble| {
            let page = self.sign_in(matter.as_ref(), visit, Some(trouble));
            let turn = Turn::from(Step::SignIn(SignInPage { name: name.to_owned(), ..page }));
            // Who is not said: people type passwords there too.
            Ok(Turn {
                noted: Some(Noted { event: "login", about: about.clone(), error: Some(trouble.name()) }),
                ..turn
            })
        };
        let tallies = tallies(name, &self.visitor.network);
        if let Some(wait) = self.ledger.count_guess(&tallies, self.now).await? {
            return Err(Stop::TooMany(wait));
        }
        let user = self.ledger.user(name).await?.filter(|user| !user.disabled);
        let stored = user.as_ref().and_then(|user| user.password.as_deref());
        let sent = fields.get("password").unwrap_or_default();
        if !password::matches(self.crypto, self.pepper, stored, sent).await? {
            return again(Trouble::Wrong);
        }
        self.ledger.forgive(&tallies).await?;
        let meant = matter.as_ref().and_then(|matter| matter.request().user.as_deref());
        if meant.is_some_and(|meant| meant != name) {
            return again(Trouble::SomebodyElse);
        }
        let cookie = token_of(self.random, "session");
        let session = Session { id: hashed(&cookie), user: name.to_owned(), since: self.now };
        let interaction = matter.as_ref().map(|matter| matter.interaction.id.as_str());
        let earlier = self.visitor.session.as_deref().map(hashed);
        self.ledger.open_session(&session, self.now + SESSION_LIFE, interaction, earlier.as_deref()).await?;
        let step = match &mut matter {
            Some(matter) => {
                matter.interaction.user = Some(session.user.clone());
                matter.interaction.patient = None;
                self.due(matter, visit, Some(&session)).await?
            }
            None => self.overview(visit, &session, false).await?,
        };
        let noted = Some(Noted::done("login", About { user: Some(session.user), ..about }));
        Ok(Turn { step, cookie: Some(Cookie::Session(cookie, SESSION_LIFE)), noted })
    }
}

/// Where wrong passwords are counted. Names are hashed: people type passwords there too.
fn tallies(name: &str, network: &str) -> [Tally; 3] {
    let user = hashed(name);
    let [pair, one, place] = FREE;
    [
        Tally { name: format!("login {user} {network}"), free: pair },
        Tally { name: format!("login {user}"), free: one },
        Tally { name: format!("login from {network}"), free: place },
    ]
}
