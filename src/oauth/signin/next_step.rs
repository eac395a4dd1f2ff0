//! The next step of a pending authorization.

use super::consent::InContext;
use super::encounter::EncounterContext;
use super::page::{ConsentPage, SignInFailure};
use super::patient::Context;
use super::{Screen, SignIn, SignInError, Step, VerifiedRequest};
use crate::auth_store::{AuthStore, GrantRow, Session, User};
use crate::authorize::Denial;
use crate::client_kind::ClientKind;
use crate::crypto::Crypto;
use crate::event::{Event, EventContext};
use crate::patients::PatientDirectory;
use crate::resource::Resource;
use smart::ScopeSet;

impl<L: AuthStore, C: Crypto, P: PatientDirectory> SignIn<'_, L, C, P> {
    /// Returns the next step: the sign-in until the right user is signed in; the patient selection if a patient is
    /// needed, and the encounter selection if an encounter is; the consent page unless earlier consent suffices; then
    /// the redirect to the app. `words` filter the patients by name.
    pub(super) async fn next_step(
        &self,
        verified: &VerifiedRequest,
        visit: &str,
        session: Option<&Session>,
        words: &str,
    ) -> Result<Step, SignInError> {
        let request = verified.request();
        let own = session.filter(|session| verified.pending.user.as_ref() == Some(&session.user));
        let right = own.filter(|session| request.user.as_ref().is_none_or(|user| *user == session.user));
        let user = match right {
            Some(session) => self.auth_store.user(&session.user).await?.filter(|user| !user.disabled),
            None => None,
        };
        let (Some(session), Some(user)) = (right, user) else {
            if request.prompts("none") {
                let event_context = verified.event_context(None, None);
                return Ok(self.deny(verified, event_context, "login_required", "nobody is signed in"));
            }
            let failure = own.map(|_| SignInFailure::SomebodyElse);
            return Ok(Screen::SignIn(self.sign_in_page(Some(verified), visit, failure, false)).into());
        };
        let scopes = verified.scopes()?;
        let earlier = self.find_earlier_grants(verified, session, &scopes).await?;
        let mut context = self.determine_context(verified, &user, &scopes).await?;
        if matches!(context, Context::Undetermined) && request.prompts("none") {
            context = self.find_earlier_patient(&user, &earlier).await?;
        }
        let event_context = || verified.event_context(Some(&user.name), None);
        let patient = match context {
            Context::NotNeeded => None,
            Context::Patient(card) => Some(card),
            Context::NotPermitted => {
                let text = "the user may see no such patient";
                return Ok(self.deny(verified, event_context(), "access_denied", text));
            }
            Context::Undetermined if request.prompts("none") => {
                let text = "a patient would have to be chosen";
                return Ok(self.deny(verified, event_context(), "interaction_required", text));
            }
            Context::Undetermined => return self.offer_patients(verified, visit, &user.name, words).await,
        };
        let mut encounter = self.determine_encounter(verified, &user, patient.as_ref(), &scopes).await?;
        if let (EncounterContext::Undetermined(_), Some(card), true) = (&encounter, &patient, request.prompts("none"))
            && let Some(known) = self.find_earlier_encounter(&user, card, &earlier).await?
        {
            encounter = known;
        }
        let encounter = match (encounter, &patient) {
            (EncounterContext::NotPermitted, _) => {
                let text = "the user may see no such encounter";
                return Ok(self.deny(verified, event_context(), "access_denied", text));
            }
            (EncounterContext::Undetermined(_), _) if request.prompts("none") => {
                let text = "an encounter would have to be chosen";
                return Ok(self.deny(verified, event_context(), "interaction_required", text));
            }
            (EncounterContext::Undetermined(all), Some(card)) => {
                return Ok(self.offer_encounters(verified, visit, &user, card, all));
            }
            (encounter, _) => encounter.card().cloned(),
        };
        let context = InContext { patient: patient.as_ref(), encounter: encounter.as_ref() };
        let same_patient = |grant: &GrantRow| grant.patient.as_deref() == patient.as_ref().map(|card| card.id.as_str());
        if earlier.iter().any(same_patient) {
            return self.issue_code("authorize", verified, session, &user, context, &scopes).await;
        }
        if request.prompts("none") {
            let text = "the user would have to be asked";
            return Ok(self.deny(verified, event_context(), "consent_required", text));
        }
        let events = patient.as_ref().map(|card| {
            Event::disclosed(verified.event_context(Some(&user.name), Some(&card.id)), std::slice::from_ref(card))
        });
        let events = events.into_iter().collect();
        Ok(Step { screen: self.consent_screen(verified, visit, &user, context, scopes), cookie: None, events })
    }

    fn consent_screen(
        &self,
        verified: &VerifiedRequest,
        visit: &str,
        user: &User,
        context: InContext<'_>,
        scopes: ScopeSet,
    ) -> Screen {
        Screen::Consent(ConsentPage {
            form_tokens: self.form_tokens(verified, visit),
            app: verified.client.title().to_owned(),
            user: user.name.clone(),
            is_chosen: verified.pending.patient.is_some(),
            patient: context.patient.cloned(),
            encounter: context.encounter.cloned(),
            is_encounter_chosen: verified.pending.encounter.is_some(),
            refresh_days: self.refresh_days,
            scopes,
            redirect: verified.redirect.as_str().to_owned(),
            resource: verified.request().resource,
            claimed_name: verified.request().client_name.clone(),
        })
    }

    /// Returns the earlier grants that make the consent page unnecessary: those of the same app, in the same session,
    /// with the same scopes, each granted in full. A person who is asked for different scopes, or who left some out,
    /// may want to decide again. So may a person who is asked for access that outlives the session (`offline_access`).
    /// If no page may be shown, a grant that covers the scopes suffices. There are none if the request requires consent
    /// again, if the redirect address does not identify the app (RFC 8252, section 8.6), or if a document describes the
    /// app, since another may stand there now.
    async fn find_earlier_grants(
        &self,
        verified: &VerifiedRequest,
        session: &Session,
        scopes: &ScopeSet,
    ) -> Result<Vec<GrantRow>, SignInError> {
        let known = verified.client.kind != ClientKind::Public || verified.redirect.identifies_client();
        if verified.request().prompts("consent") || !known || verified.client.is_described() {
            return Ok(Vec::new());
        }
        let is_silent = verified.request().prompts("none");
        if scopes.has("offline_access") && !is_silent {
            return Ok(Vec::new());
        }
        let mut grants = self.auth_store.grants_of_session(session, &verified.client.client_id, self.now).await?;
        let covers = |all: &ScopeSet, some: &ScopeSet| some.iter().all(|(_, scope)| all.covers(scope));
        grants.retain(|grant| {
            let given = ScopeSet::parse(&grant.scope);
            Resource::of_grant(&grant.id) == verified.request().resource
                && given.is_ok_and(|given| covers(&given, scopes) && (is_silent || covers(scopes, &given)))
        });
        Ok(grants)
    }

    /// Redirects to the app with an error.
    pub(super) fn deny(
        &self,
        verified: &VerifiedRequest,
        event_context: EventContext,
        code: &'static str,
        description: &'static str,
    ) -> Step {
        let state = Some(verified.request().state.clone());
        let denial = Denial { redirect: verified.redirect.clone(), state, code, description };
        let events = vec![Event::failed("authorize", event_context, code)];
        Step { screen: Screen::Leave(denial.address(self.issuer)), cookie: None, events }
    }
}
