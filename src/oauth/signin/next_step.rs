//! The next step of a pending authorization.

use super::page::{ConsentPage, SignInFailure};
use super::patient::Context;
use super::patients::{PatientCard, PatientDirectory};
use super::{ActiveAuthorization, Screen, SignIn, SignInError, Step};
use crate::oauth::auth_store::{AuthStore, GrantRow, Session, User};
use crate::oauth::authorize::{Denial, DenialCode};
use crate::oauth::client::ClientKind;
use crate::oauth::crypto::Crypto;
use crate::oauth::event::{Event, EventContext};
use crate::smart::ScopeSet;

impl<L: AuthStore, C: Crypto, P: PatientDirectory> SignIn<'_, L, C, P> {
    /// Returns the next step: the sign-in until the right user is signed in; the patient selection if a patient is
    /// needed; the consent page unless earlier consent suffices; then the redirect to the app. `words` filter the
    /// patients by name.
    pub(super) async fn next_step(
        &self,
        active: &ActiveAuthorization,
        visit: &str,
        session: Option<&Session>,
        words: &str,
    ) -> Result<Step, SignInError> {
        let request = active.request();
        let own = session.filter(|session| active.pending.user.as_ref() == Some(&session.user));
        let right = own.filter(|session| request.user.as_ref().is_none_or(|user| *user == session.user));
        let user = match right {
            Some(session) => self.auth_store.user(&session.user).await?.filter(|user| !user.disabled),
            None => None,
        };
        let (Some(session), Some(user)) = (right, user) else {
            if request.prompts("none") {
                let about = active.about(None, None);
                return Ok(self.denied(active, about, DenialCode::LoginRequired, "nobody is signed in"));
            }
            let failure = own.map(|_| SignInFailure::SomebodyElse);
            return Ok(Screen::SignIn(self.sign_in(Some(active), visit, failure, false)).into());
        };
        let scopes = active.scopes()?;
        let earlier = self.earlier(active, session, &scopes).await?;
        let mut context = self.context(active, &user, &scopes).await?;
        if matches!(context, Context::Undetermined) && request.prompts("none") {
            context = self.earlier_patient(&user, &earlier).await?;
        }
        let about = || active.about(Some(&user.name), None);
        let patient = match context {
            Context::NotNeeded => None,
            Context::Patient(card) => Some(card),
            Context::NotPermitted => {
                let text = "the user may see no such patient";
                return Ok(self.denied(active, about(), DenialCode::AccessDenied, text));
            }
            Context::Undetermined if request.prompts("none") => {
                let text = "a patient would have to be chosen";
                return Ok(self.denied(active, about(), DenialCode::InteractionRequired, text));
            }
            Context::Undetermined => return self.choice(active, visit, &user.name, words).await,
        };
        let same_patient = |grant: &GrantRow| grant.patient.as_deref() == patient.as_ref().map(|card| card.id.as_str());
        if earlier.iter().any(same_patient) {
            return self.allowed("authorize", active, session, &user, patient.as_ref(), &scopes).await;
        }
        if request.prompts("none") {
            let text = "the user would have to be asked";
            return Ok(self.denied(active, about(), DenialCode::ConsentRequired, text));
        }
        let events = patient
            .as_ref()
            .map(|card| Event::shown(active.about(Some(&user.name), Some(&card.id)), std::slice::from_ref(card)));
        let events = events.into_iter().collect();
        Ok(Step { screen: self.question(active, visit, &user, patient, scopes), cookie: None, events })
    }

    fn question(
        &self,
        active: &ActiveAuthorization,
        visit: &str,
        user: &User,
        patient: Option<PatientCard>,
        scopes: ScopeSet,
    ) -> Screen {
        Screen::Consent(ConsentPage {
            form_tokens: self.form_tokens(active, visit),
            app: active.client.title().to_owned(),
            user: user.name.clone(),
            is_chosen: active.pending.patient.is_some(),
            patient,
            scopes,
            redirect: active.redirect.as_str().to_owned(),
        })
    }

    /// Returns the earlier grants that make the consent page unnecessary: of the same app, in the same session, with
    /// the same scopes. A person who is asked for others or fewer may want to decide anew. Where no page may be shown,
    /// a grant of more scopes suffices. There are none if the request asks for consent again, or if the redirect
    /// address does not identify the app (RFC 8252, section 8.6).
    async fn earlier(
        &self,
        active: &ActiveAuthorization,
        session: &Session,
        scopes: &ScopeSet,
    ) -> Result<Vec<GrantRow>, SignInError> {
        let known = active.client.kind != ClientKind::Public || active.redirect.identifies_client();
        if active.request().prompts("consent") || !known {
            return Ok(Vec::new());
        }
        let mut grants = self.auth_store.grants_of_session(session, &active.client.client_id, self.now).await?;
        let is_silent = active.request().prompts("none");
        let covers = |all: &ScopeSet, some: &ScopeSet| some.iter().all(|(_, scope)| all.covers(scope));
        grants.retain(|grant| {
            let given = ScopeSet::parse(&grant.scope);
            given.is_ok_and(|given| covers(&given, scopes) && (is_silent || covers(scopes, &given)))
        });
        Ok(grants)
    }

    /// Redirects to the app with an error.
    pub(super) fn denied(
        &self,
        active: &ActiveAuthorization,
        about: EventContext,
        code: DenialCode,
        description: &'static str,
    ) -> Step {
        let state = Some(active.request().state.clone());
        let denial = Denial { redirect: active.redirect.clone(), state, code, description };
        let events = vec![Event::failed("authorize", about, code.code())];
        Step { screen: Screen::Leave(denial.address(self.issuer)), cookie: None, events }
    }
}
