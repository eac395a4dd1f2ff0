//! The patient in context: from the launch, from the user's own record, or from the patient selection.

use super::{Cookie, Screen, SignIn, SignInError, Step, VerifiedRequest};
use crate::auth_store::{AuthStore, GrantRow, User};
use crate::crypto::Crypto;
use crate::event::Event;
use crate::form_fields::FormFields;
use crate::patients::{FoundPatients, PatientCard, PatientDirectory, PatientQuery};
use crate::request_fault::RequestFault;
use crate::signin::page::PickPage;
use fhir::Id;
use smart::{Level, ScopeSet};

/// The maximum number of patients on a page.
const SHOWN: usize = 100;

/// The patient context of a request.
pub enum Context {
    /// The request needs no patient.
    NotNeeded,
    /// The patient in context.
    Patient(PatientCard),
    /// The user has to select a patient.
    Undetermined,
    /// The user may not see the patient, or there is no such patient.
    NotPermitted,
}

/// Returns whether tokens with these scopes need a patient. Scopes of the level `patient` need one even without
/// `launch/patient`, since they permit nothing without a patient. A scope for an encounter needs one, since an
/// encounter belongs to a patient. In an EHR launch, the EHR determines the encounter.
fn needs_patient(scopes: &ScopeSet, is_launched: bool) -> bool {
    scopes.has("launch/patient")
        || (!is_launched && scopes.has("launch/encounter"))
        || scopes.resource_scopes().any(|scope| scope.level == Level::Patient)
}

impl<L: AuthStore, C: Crypto, P: PatientDirectory> SignIn<'_, L, C, P> {
    /// Determines the patient context. The store decides whether the user may see the patient.
    pub(super) async fn determine_context(
        &self,
        verified: &VerifiedRequest,
        user: &User,
        scopes: &ScopeSet,
    ) -> Result<Context, SignInError> {
        if let Some(patient) = verified.request().patient.as_ref().or(verified.pending.patient.as_ref()) {
            return self.find_visible(user, patient).await;
        }
        if !needs_patient(scopes, verified.request().launch.is_some()) {
            return Ok(Context::NotNeeded);
        }
        if user.fhir_user.as_deref().is_some_and(|resource| resource.starts_with("Patient/")) {
            let access_list = self.auth_store.access_list(&user.name, 2).await?;
            match access_list.patients.as_slice() {
                [] => return Ok(Context::NotPermitted),
                [own] => return self.find_visible(user, own).await,
                [..] => {}
            }
        }
        Ok(Context::Undetermined)
    }

    async fn find_visible(&self, user: &User, patient: &str) -> Result<Context, SignInError> {
        let found = self.patients.find_one(&user.name, patient).await?;
        Ok(found.map_or(Context::NotPermitted, Context::Patient))
    }

    /// Returns the patient of an earlier authorization, for a request that must not show a page.
    pub(super) async fn find_earlier_patient(&self, user: &User, earlier: &[GrantRow]) -> Result<Context, SignInError> {
        match earlier.iter().find_map(|grant| grant.patient.as_ref()) {
            Some(patient) => self.find_visible(user, patient).await,
            None => Ok(Context::Undetermined),
        }
    }

    /// Returns the patient selection: the first of the user's patients, or those with a matching name.
    pub(super) async fn offer_patients(
        &self,
        verified: &VerifiedRequest,
        visit: &str,
        user: &str,
        words: &str,
    ) -> Result<Step, SignInError> {
        let (found, more) = if words.is_empty() {
            let access_list = self.auth_store.access_list(user, SHOWN).await?;
            (self.patients.find(user, PatientQuery::These(&access_list.patients)).await?, access_list.more)
        } else {
            let found = self.patients.find(user, PatientQuery::Named(words)).await?;
            let more = found.cards.len() >= SHOWN;
            (found, more)
        };
        let FoundPatients { cards: patients, unread } = found;
        let events = vec![Event::disclosed(verified.event_context(Some(user), None), &patients)];
        let page = PickPage {
            form_tokens: self.form_tokens(verified, visit),
            app: verified.client.title().to_owned(),
            user: user.to_owned(),
            patients,
            unread,
            more,
            words: words.to_owned(),
        };
        Ok(Step { screen: Screen::Pick(page), cookie: None, events })
    }

    /// Handles the forms of the patient selection and of the encounter selection: a selection, or a search by name.
    pub async fn select_patient(&self, fields: FormFields<'_>) -> Result<Step, SignInError> {
        let (verified, session) = self.verify_form(fields).await?;
        let session = session.filter(|session| verified.pending.user.as_ref() == Some(&session.user));
        let Some(session) = session else { return Ok(Screen::Show(verified.next()).into()) };
        if fields.all("encounter").next().is_some() {
            return self.select_encounter(&verified, &session.user, fields).await;
        }
        let Some(patient) = fields.get("patient") else {
            let screen = Screen::Show(verified.next().with("search", "1"));
            let words = fields.get("words").unwrap_or_default().to_owned();
            return Ok(Step { screen, cookie: Some(Cookie::Typed(words)), events: Vec::new() });
        };
        if self.patients.find_one(&session.user, patient).await?.is_none() {
            let selected = Id::parse(patient);
            let event_context = verified.event_context(Some(&session.user), selected.as_ref().map(Id::as_str));
            let screen = Screen::Error(SignInError::Page(RequestFault::OtherPatient));
            let events = vec![Event::failed("patient", event_context, "not_permitted")];
            return Ok(Step { screen, cookie: None, events });
        }
        self.auth_store.select_patient(&verified.pending.id, patient).await?;
        Ok(Screen::Show(verified.next()).into())
    }
}
