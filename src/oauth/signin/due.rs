//! What is due next of a request that is under way.

use super::page::{ConsentPage, Trouble};
use super::patient::Context;
use super::patients::{PatientCard, Patients};
use super::{Matter, SignIn, Step, Stop, Turn};
use crate::oauth::about::{About, Noted};
use crate::oauth::authorize::{Denial, DenialCode};
use crate::oauth::client::ClientKind;
use crate::oauth::crypto::Crypto;
use crate::oauth::ledger::{GrantRow, Ledger, Session, User};
use crate::smart::ScopeSet;

impl<L: Ledger, C: Crypto, P: Patients> SignIn<'_, L, C, P> {
    /// The sign-in, until the right person is signed in; then the choice of a patient, where one is needed; then the
    /// question for consent, unless it was answered before; then the way back. Patients are those that were looked for with
    /// these words.
    pub(super) async fn due(
        &self,
        matter: &Matter,
        visit: &str,
        session: Option<&Session>,
        words: &str,
    ) -> Result<Turn, Stop> {
        let request = matter.request();
        let own = session.filter(|session| matter.interaction.user.as_ref() == Some(&session.user));
        let right = own.filter(|session| request.user.as_ref().is_none_or(|user| *user == session.user));
        let user = match right {
            Some(session) => self.ledger.user(&session.user).await?.filter(|user| !user.disabled),
            None => None,
        };
        let (Some(session), Some(user)) = (right, user) else {
            if request.prompts("none") {
                let about = matter.about(None, None);
                return Ok(self.denied(matter, about, DenialCode::LoginRequired, "nobody is signed in"));
            }
            let trouble = own.map(|_| Trouble::SomebodyElse);
            return Ok(Step::SignIn(self.sign_in(Some(matter), visit, trouble)).into());
        };
        let scopes = matter.scopes()?;
        let earlier = self.earlier(matter, session, &scopes).await?;
        let mut context = self.context(matter, &user, &scopes).await?;
        if matches!(context, Context::Open) && request.prompts("none") {
            context = self.as_before(&user, &earlier).await?;
        }
        let about = || matter.about(Some(&user.name), None);
        let patient = match context {
            Context::None => None,
            Context::Of(card) => Some(card),
            Context::Closed => {
                let text = "the user may see no such patient";
                return Ok(self.denied(matter, about(), DenialCode::AccessDenied, text));
            }
            Context::Open if request.prompts("none") => {
                let text = "a patient would have to be chosen";
                return Ok(self.denied(matter, about(), DenialCode::InteractionRequired, text));
            }
            Context::Open => return self.choice(matter, visit, &user.name, words).await,
        };
        let same_patient = |grant: &GrantRow| grant.patient.as_deref() == patient.as_ref().map(|card| card.id.as_str());
        if earlier.iter().any(same_patient) {
            return self.allowed("authorize", matter, session, &user, patient.as_ref(), &scopes).await;
        }
        if request.prompts("none") {
            let text = "the user would have to be asked";
            return Ok(self.denied(matter, about(), DenialCode::ConsentRequired, text));
        }
        let noted = patient
            .as_ref()
            .map(|card| Noted::shown(matter.about(Some(&user.name), Some(&card.id)), std::slice::from_ref(card)));
        let noted = noted.into_iter().collect();
        Ok(Turn { step: self.question(matter, visit, &user, patient, scopes), cookie: None, noted })
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
            is_chosen: matter.interaction.patient.is_some(),
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
        let mut grants = self.ledger.given_in(session, &matter.client.client_id, self.now).await?;
        grants.retain(|grant| {
            let given = ScopeSet::parse(&grant.scope).unwrap_or_default();
            scopes.iter().all(|(_, scope)| given.covers(scope))
        });
        Ok(grants)
    }

    /// The way back with a no.
    pub(super) fn denied(&self, matter: &Matter, about: About, code: DenialCode, description: &'static str) -> Turn {
        let state = Some(matter.request().state.clone());
        let denial = Denial { redirect: matter.redirect.clone(), state, code, description };
        let noted = vec![Noted::failed("authorize", about, code.code())];
        Turn { step: Step::Leave(denial.address(self.issuer)), cookie: None, noted }
    }
}
