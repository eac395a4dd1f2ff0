//! Whose records: the patient in context, from the launch, from who the user is, or from the user's choice.

use super::patients::{PatientCard, Patients, Wanted};
use super::{Cookie, Fields, Matter, SignIn, Step, Stop, Turn};
use crate::fhir::Id;
use crate::oauth::about::Noted;
use crate::oauth::crypto::Crypto;
use crate::oauth::ledger::{GrantRow, Ledger, User};
use crate::oauth::signin::page::PickPage;
use crate::smart::{Level, ScopeSet};

/// Patients on a page.
const SHOWN: usize = 100;

/// Whose records a request is about.
pub enum Context {
    /// No one patient's.
    None,
    /// This one's.
    Of(PatientCard),
    /// The user must say.
    Open,
    /// A patient's whom the user may not see, or of whom there is none.
    Closed,
}

/// Whether tokens with these scopes need a patient: also where it is not asked for one, since without it they open nothing.
fn needs_patient(scopes: &ScopeSet) -> bool {
    scopes.has("launch/patient") || scopes.clinical().any(|clinical| clinical.level == Level::Patient)
}

impl<L: Ledger, C: Crypto, P: Patients> SignIn<'_, L, C, P> {
    /// Whose records it is about. The store has the last word on whom the user may see.
    pub(super) async fn context(&self, matter: &Matter, user: &User, scopes: &ScopeSet) -> Result<Context, Stop> {
        if let Some(patient) = matter.request().patient.as_ref().or(matter.interaction.patient.as_ref()) {
            return self.visible(user, patient).await;
        }
        if !needs_patient(scopes) {
            return Ok(Context::None);
        }
        if user.fhir_user.as_deref().is_some_and(|resource| resource.starts_with("Patient/")) {
            let roster = self.ledger.roster(&user.name, 2).await?;
            match roster.patients.as_slice() {
                [] => return Ok(Context::Closed),
                [own] => return self.visible(user, own).await,
                [..] => {}
            }
        }
        Ok(Context::Open)
    }

    async fn visible(&self, user: &User, patient: &str) -> Result<Context, Stop> {
        let found = self.patients.find(&user.name, Wanted::These(&[patient.to_owned()])).await?;
        Ok(found.into_iter().find(|card| card.id == patient).map_or(Context::Closed, Context::Of))
    }

    /// The patient of an earlier authorization, where nothing may be shown.
    pub(super) async fn as_before(&self, user: &User, earlier: &[GrantRow]) -> Result<Context, Stop> {
        match earlier.iter().find_map(|grant| grant.patient.as_ref()) {
            Some(patient) => self.visible(user, patient).await,
            None => Ok(Context::Open),
        }
    }

    /// The page to choose from: the first of the user's patients, or those with such a name.
    pub(super) async fn choice(&self, matter: &Matter, visit: &str, user: &str, words: &str) -> Result<Turn, Stop> {
        let (patients, more) = if words.is_empty() {
            let roster = self.ledger.roster(user, SHOWN).await?;
            (self.patients.find(user, Wanted::These(&roster.patients)).await?, roster.more)
        } else {
            let found = self.patients.find(user, Wanted::Named(words)).await?;
            let more = found.len() >= SHOWN;
            (found, more)
        };
        let noted = vec![Noted::shown(matter.about(Some(user), None), &patients)];
        let page = PickPage {
            marks: self.marks(matter, visit),
            app: matter.client.title().to_owned(),
            user: user.to_owned(),
            patients,
            more,
            words: words.to_owned(),
        };
        Ok(Turn { step: Step::Pick(page), cookie: None, noted })
    }

    /// A patient was picked, or looked for.
    ///
    /// # Errors
    /// Where the form is not one of ours, or the patient none of the user's.
    pub async fn patient(&self, fields: Fields<'_>) -> Result<Turn, Stop> {
        let (matter, _, session) = self.matter(fields).await?;
        let session = session.filter(|session| matter.interaction.user.as_ref() == Some(&session.user));
        let Some(session) = session else { return Ok(Step::Show(matter.next()).into()) };
        let Some(patient) = fields.get("patient") else {
            let step = Step::Show(matter.next().with("search", "1"));
            let words = fields.get("words").unwrap_or_default().to_owned();
            return Ok(Turn { step, cookie: Some(Cookie::Typed(words)), noted: Vec::new() });
        };
        let found = self.patients.find(&session.user, Wanted::These(&[patient.to_owned()])).await?;
        if !found.iter().any(|card| card.id == patient) {
            let asked = Id::parse(patient);
            let about = matter.about(Some(&session.user), asked.as_ref().map(Id::as_str));
            let step = Step::Stop(Stop::Page("That patient is not one of yours."));
            return Ok(Turn { step, cookie: None, noted: vec![Noted::failed("patient", about, "not_permitted")] });
        }
        self.ledger.pick(&matter.interaction.id, patient).await?;
        Ok(Step::Show(matter.next()).into())
    }
}
