//! A person signs in, by name and password.

use super::device::{device_cookie, device_of, kept_devices};
use super::page::{SignInPage, Trouble};
use super::{Cookie, Fields, Marks, Matter, SignIn, Step, Stop, Turn, mark};
use crate::oauth::about::{About, Noted};
use crate::oauth::crypto::Crypto;
use crate::oauth::ledger::{Attempt, Ledger, SESSION_LIFE, Session, Tally, User};
use crate::oauth::password;
use crate::oauth::secret::{hashed, token_of};
use crate::oauth::signin::patients::Patients;

/// The longest name that a form shows again, in bytes.
const LONGEST_NAME: usize = 256;
/// Wrong passwords for one account that are free of waiting, from one network or in one device.
const FREE: u32 = 16;
/// The same from one network while an account is guessed at from many. A right password from a network that has not guessed
/// is never refused.
const FREE_UNDER_ATTACK: u32 = 3;
/// Wrong passwords for one account, from all networks together, from which on it counts as guessed at from many.
const ATTACK: u32 = 200;
/// Wrong passwords from one network, for all accounts together, that are free of waiting.
const FREE_OF_NETWORK: u32 = 100;
/// What forms carry that are about no request.
pub const MANAGE: &str = "manage";

impl<L: Ledger, C: Crypto, P: Patients> SignIn<'_, L, C, P> {
    /// The page for it: about a request, or for a person who comes without an app. In the form stands the name that was typed
    /// before, or that the EHR said, or that the app gave as a hint.
    pub(super) fn sign_in(&self, matter: Option<&Matter>, visit: &str, trouble: Option<Trouble>) -> SignInPage {
        let typed = self.visitor.typed.as_ref().filter(|_| trouble == Some(Trouble::Wrong));
        let said = matter.map(Matter::request).and_then(|request| request.user.as_ref().or(request.hint.as_ref()));
        SignInPage {
            marks: match matter {
                Some(matter) => self.marks(matter, visit),
                None => Marks { interaction: None, csrf: mark(visit, MANAGE), leads_to: None },
            },
            app: matter.map(|matter| matter.client.title().to_owned()),
            name: typed.or(said).cloned().unwrap_or_default(),
            trouble,
        }
    }

    /// Name and password came. A name that nobody has fails as a wrong password does, and as slowly.
    ///
    /// # Errors
    /// Where the form is not one of ours, there were too many wrong ones, or the storage does not answer.
    pub async fn login(&self, fields: Fields<'_>) -> Result<Turn, Stop> {
        let matter = if fields.get("interaction").is_some() {
            Some(self.matter(fields).await?.0)
        } else {
            self.own_form(fields, MANAGE)?;
            None
        };
        let next = matter.as_ref().map(Matter::next).unwrap_or_default();
        let name = fields.get("username").unwrap_or_default();
        let client = matter.as_ref().map(|matter| matter.client.client_id.clone());
        let again = |trouble: Trouble, user: Option<&User>| {
            let typed = if name.len() <= LONGEST_NAME { name } else { "" };
            Ok(Turn {
                step: Step::Show(next.clone().with("trouble", trouble.name())),
                cookie: Some(Cookie::Typed(typed.to_owned())),
                noted: vec![self.failed(client.as_ref(), user, name, trouble.name())],
            })
        };
        let device = device_of(self.pepper, name, &self.visitor.devices);
        let attempt = attempt(name, &self.visitor.network, device);
        if let Some(wait) = self.ledger.count_guess(&attempt, self.now).await? {
            let (stop, user) = (Stop::TooMany(wait), self.ledger.user(name).await?);
            let noted = vec![self.failed(client.as_ref(), user.as_ref(), name, stop.name())];
            return Ok(Turn { step: Step::Stop(stop), cookie: None, noted });
        }
        let known = self.ledger.user(name).await?;
        let user = known.as_ref().filter(|user| !user.disabled);
        let stored = user.and_then(|user| user.password.as_deref());
        let sent = fields.get("password").unwrap_or_default();
        if !password::matches(self.crypto, self.pepper, stored, sent).await? {
            return again(Trouble::Wrong, known.as_ref());
        }
        self.ledger.forgive(&attempt).await?;
        let meant = matter.as_ref().and_then(|matter| matter.request().user.as_deref());
        if meant.is_some_and(|meant| meant != name) {
            return again(Trouble::SomebodyElse, user);
        }
        let cookie = token_of(self.random, "session");
        let session = Session { id: hashed(&cookie), user: name.to_owned(), since: self.now };
        let interaction = matter.as_ref().map(|matter| matter.interaction.id.as_str());
        let earlier = self.visitor.session.as_deref().map(hashed);
        self.ledger.open_session(&session, interaction, earlier.as_deref()).await?;
        let about = About { client, user: Some(session.user), ..About::default() };
        let noted = vec![Noted::done("login", about)];
        let device = match device {
            Some(known) => known.to_owned(),
            None => device_cookie(self.pepper, name, &token_of(self.random, "device")),
        };
        let devices = kept_devices(&device, &self.visitor.devices);
        Ok(Turn { step: Step::Show(next), cookie: Some(Cookie::Session(cookie, SESSION_LIFE, devices)), noted })
    }

    /// A sign-in that failed. A name that nobody has is not logged: people type passwords there too.
    fn failed(&self, client: Option<&String>, user: Option<&User>, name: &str, error: &'static str) -> Noted {
        let about = About {
            client: client.cloned(),
            user: user.map(|user| user.name.clone()),
            unknown_user: user.is_none().then(|| self.pepper.pseudonym("user", name)),
            ..About::default()
        };
        Noted::failed("login", about, error)
    }
}

/// The counters of an attempt. A device of the user has one of its own, which nobody else can use up; everybody else is
/// counted by account and network, and by network. Names are hashed: people type passwords there too.
fn attempt(name: &str, network: &str, device: Option<&str>) -> Attempt {
    let user = hashed(name);
    if let Some(device) = device {
        let own = Tally {
            name: format!("login {user} device {}", hashed(device)),
            free: FREE,
            under_attack: FREE,
            is_shared: false,
        };
        return Attempt { tallies: vec![own], account: None };
    }
    let pair = Tally {
        name: format!("login {user} {network}"),
        free: FREE,
        under_attack: FREE_UNDER_ATTACK,
        is_shared: false,
    };
    let network = Tally {
        name: format!("login from {network}"),
        free: FREE_OF_NETWORK,
        under_attack: FREE_OF_NETWORK,
        is_shared: true,
    };
    Attempt { tallies: vec![pair, network], account: Some((format!("login {user}"), ATTACK)) }
}
