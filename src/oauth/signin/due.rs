//! What is due next of a request that is under way.

use super::page::{ConsentPage, Trouble};
use super::patient::Context;
use super::patients::{PatientCard, Patients};
use super::{Matter, SignIn, Step, Stop};
use crate::oauth::authorize::{Denial, DenialCode};
use crate::oauth::client::ClientKind;
use crate::oauth::crypto::Crypto;
use crate::oauth::ledger::{GrantRow, Ledger, Session, User};
use crate::smart::ScopeSet;

impl<L: Ledger, C: Crypto, P: Patients> SignIn<'_, L, C, P> {
    /// The sign-in, until the right person is signed in; then the choice of a patient, where one is needed; then the
    /// question for consent, unless it was answered before; then the way back.
    pub(super) async fn due(&self, matter: &Matter, visit: &str, session: Option<&Session>) -> Result<Step, Stop> {
        let request = matter.request();
        let own = session.filter(|session| matter.interaction.user.as_ref() == Some(&session.user));
        let right = own.filter(|session| request.user.as_ref().is_none_or(|user| *user == session.user));
        let user = match right {
            Some(session) => self.ledger.user(&session.user).await?.filter(|user| !user.disabled),
            None => None,
        };
        let (Some(session), Some(user)) = (right, user) else {
            if request.prompts("none") {
                return Ok(self.denied(matter, DenialCode::LoginRequired, "nobody is signed in"));
            }
            let trouble = own.map(|_| Trouble::SomebodyElse);
            return Ok(Step::SignIn(self.sign_in(Some(matter), visit, trouble)));
        };
        let scopes = ScopeSet::parse(&request.scope).map_err(|_| Stop::Gone)?;
        let earlier = self.earlier(matter, session, &scopes).await?;
        let mut context = self.context(matter, &user, &scopes).await?;
        if matches!(context, Context::Open) && request.prompts("none") {
            context = self.as_before(&user, &earlier).await?;
        }
        let patient = match context {
            Context::None => None,
            Context::Of(card) => Some(card),
            Context::Closed => {
                let text = "the user may see no such patient";
                return Ok(self.denied(matter, DenialCode::AccessDenied, text));
            }
            Context::Open if request.prompts("none") => {
                let text = "a patient would have to be chosen";
                return Ok(self.denied(matter, DenialCode::InteractionRequired, text));
            }
            Context::Open => return self.choice(matter, visit, &user.name, "").await,
        };
        let same_patient = |grant: &GrantRow| grant.patient.as_deref() == patient.as_ref().map(|card| card.id.as_str());
        if earlier.iter().any(same_patient) {
            return self.allowed(matter, session, &user, patient.as_ref(), &scopes).await;
        }
        if request.prompts("none") {
            return Ok(self.denied(matter, DenialCode::ConsentRequired, "the user would have to be asked"));
        }
        Ok(self.question(matter, visit, &user, patient, scopes))
    }

    fn question(
        &self,
        matter: &Matter,
        visit: &str,
        user: &User,
        patient: Option<PatientCard>,
        scopes: ScopeSet,
    ) -> Step {
        Step::Consent(ConsentPage {
            marks: self.marks(matter, visit),
            app: matter.client.title().to_owned(),
            user: user.name.clone(),
            patient,
            scopes,
            redirect: matter.redirect.as_str().to_owned(),
        })
    }

    /// The authorizations that answer the question for consent already: given to the same app in the same session, for as
    /// much. They do not where it must be asked anew, or where nobody vouches that it is the same app that hears the answer
    /// (RFC 8252, section 8.6).
    async fn earlier(&self, matter: &Matter, session: &Session, scopes: &ScopeSet) -> Result<Vec<GrantRow>, Stop> {
        let known = matter.client.kind != ClientKind::Public || matter.redirect.is_vouched_for();
        if matter.request().prompts("consent") || !known {
            return Ok(Vec::new());
        }
        let mut grants = self.ledger.grants_of(&session.user, self.now).await?;
        grants.retain(|grant| {
            let given = ScopeSet::parse(&grant.scope).unwrap_or_default();
            grant.client == matter.client.client_id
                && grant.session.as_ref() == Some(&session.id)
                && scopes.iter().all(|(_, scope)| given.covers(scope))
        });
        Ok(grants)
    }

    /// The way back with a no.
    pub(super) fn denied(&self, matter: &Matter, code: DenialCode, description: &'static str) -> Step {
        let state = Some(matter.request().state.clone());
        Step::Leave(Denial { redirect: matter.redirect.clone(), state, code, description }.address(self.issuer))
    }
}
