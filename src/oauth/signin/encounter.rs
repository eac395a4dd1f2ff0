//! The encounter in context: from the launch, or from the encounter selection.

use super::page::PickEncounterPage;
use super::{Screen, SignIn, SignInError, Step, VerifiedRequest};
use crate::auth_store::{AuthStore, GrantRow, User};
use crate::crypto::Crypto;
use crate::event::Event;
use crate::form_fields::FormFields;
use crate::patients::{EncounterCard, PatientCard, PatientDirectory};
use crate::request_fault::RequestFault;
use smart::ScopeSet;

/// The scope by which an app requests an encounter.
const LAUNCH_ENCOUNTER: &str = "launch/encounter";

/// The encounter of a request.
pub enum EncounterContext {
    /// There is no encounter: the request needs none, none is open in the EHR, or the user selected none.
    None,
    /// The encounter in context.
    Encounter(EncounterCard),
    /// The user has to select one of these encounters.
    Undetermined(Vec<EncounterCard>),
    /// The encounter does not belong to the patient, or the user may not see it.
    NotPermitted,
}

impl EncounterContext {
    /// Returns the encounter, if there is one.
    pub fn card(&self) -> Option<&EncounterCard> {
        match self {
            Self::Encounter(card) => Some(card),
            Self::None | Self::Undetermined(_) | Self::NotPermitted => None,
        }
    }
}

impl<L: AuthStore, C: Crypto, P: PatientDirectory> SignIn<'_, L, C, P> {
    /// Determines the encounter. In an EHR launch, it is the one of the EHR, whatever the scopes are. Otherwise, with
    /// `launch/encounter`, the user selects one. The store decides whether it belongs to the patient.
    pub(super) async fn determine_encounter(
        &self,
        verified: &VerifiedRequest,
        user: &User,
        patient: Option<&PatientCard>,
        scopes: &ScopeSet,
    ) -> Result<EncounterContext, SignInError> {
        let Some(patient) = patient else { return Ok(EncounterContext::None) };
        let request = verified.request();
        let is_launched = request.launch.is_some();
        let selected = verified.pending.encounter.as_ref().filter(|_| !is_launched);
        match request.context.encounter.as_ref().or(selected) {
            Some(none) if none.is_empty() => Ok(EncounterContext::None),
            Some(id) => {
                let found = self.patients.find_encounter(&user.name, &patient.id, id).await?;
                Ok(found.map_or(EncounterContext::NotPermitted, EncounterContext::Encounter))
            }
            None if is_launched || !scopes.has(LAUNCH_ENCOUNTER) => Ok(EncounterContext::None),
            None => {
                let all = self.patients.encounters(&user.name, &patient.id, None).await?;
                Ok(if all.is_empty() { EncounterContext::None } else { EncounterContext::Undetermined(all) })
            }
        }
    }

    /// Returns the encounter of an earlier authorization for the same patient, for a request that must not show a page.
    pub(super) async fn find_earlier_encounter(
        &self,
        user: &User,
        patient: &PatientCard,
        earlier: &[GrantRow],
    ) -> Result<Option<EncounterContext>, SignInError> {
        let Some(grant) = earlier.iter().find(|grant| grant.patient.as_ref() == Some(&patient.id)) else {
            return Ok(None);
        };
        let Some(id) = &grant.context.encounter else { return Ok(Some(EncounterContext::None)) };
        let found = self.patients.find_encounter(&user.name, &patient.id, id).await?;
        Ok(Some(found.map_or(EncounterContext::None, EncounterContext::Encounter)))
    }

    /// Returns the encounter selection.
    pub(super) fn offer_encounters(
        &self,
        verified: &VerifiedRequest,
        visit: &str,
        user: &User,
        patient: &PatientCard,
        encounters: Vec<EncounterCard>,
    ) -> Step {
        let event_context = verified.event_context(Some(&user.name), Some(&patient.id));
        let events = vec![Event::disclosed(event_context, std::slice::from_ref(patient))];
        let page = PickEncounterPage {
            form_tokens: self.form_tokens(verified, visit),
            app: verified.client.title().to_owned(),
            user: user.name.clone(),
            patient: patient.clone(),
            encounters,
        };
        Step { screen: Screen::PickEncounter(page), cookie: None, events }
    }

    /// Stores the answer to the encounter selection: the id of an encounter, or an empty text for none. Here, and again
    /// in the next step, it is checked that the encounter belongs to the patient.
    pub(super) async fn select_encounter(
        &self,
        verified: &VerifiedRequest,
        user: &str,
        fields: FormFields<'_>,
    ) -> Result<Step, SignInError> {
        // In an EHR launch, there is no choice.
        if verified.request().launch.is_some() {
            return Err(SignInError::Forged);
        }
        let user = self.auth_store.user(user).await?.filter(|user| !user.disabled).ok_or(SignInError::Gone)?;
        let scopes = verified.scopes()?;
        let patient = match self.determine_context(verified, &user, &scopes).await? {
            super::patient::Context::Patient(card) => card,
            super::patient::Context::NotNeeded
            | super::patient::Context::Undetermined
            | super::patient::Context::NotPermitted => return Err(SignInError::Forged),
        };
        let selected = fields.all("encounter").next().unwrap_or_default();
        if !selected.is_empty() && self.patients.find_encounter(&user.name, &patient.id, selected).await?.is_none() {
            let event_context = verified.event_context(Some(&user.name), Some(&patient.id));
            let events = vec![Event::failed("patient", event_context, "not_permitted")];
            let screen = Screen::Error(SignInError::Page(RequestFault::OtherEncounter));
            return Ok(Step { screen, cookie: None, events });
        }
        self.auth_store.select_encounter(&verified.pending.id, selected).await?;
        Ok(Screen::Show(verified.next()).into())
    }
}
