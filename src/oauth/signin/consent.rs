//! A person says what an app may do.

use super::patient::Context;
use super::patients::{PatientCard, Patients};
use super::{Fields, Matter, SignIn, Step, Stop, Turn};
use crate::oauth::about::{About, Noted};
use crate::oauth::authorize::DenialCode;
use crate::oauth::crypto::Crypto;
use crate::oauth::ledger::{GrantRow, Ledger, Session, User};
use crate::oauth::secret::{hashed, token_of};
use crate::smart::ScopeSet;

/// How long a code is good, in seconds (decision 25).
const CODE_LIFE: i64 = 60;

/// Whether a scope only says how the patient is found: nothing that could be denied.
#[must_use]
pub fn is_context(written: &str) -> bool {
    matches!(written, "launch" | "launch/patient")
}

impl<L: Ledger, C: Crypto, P: Patients> SignIn<'_, L, C, P> {
    /// The answer came.
    ///
    /// # Errors
    /// Where the form is not one of ours, or not of who is signed in; where the request was answered before.
    pub async fn consent(&self, fields: Fields<'_>) -> Result<Turn, Stop> {
        let (matter, _, session) = self.matter(fields).await?;
        let session = session.filter(|session| matter.interaction.user.as_ref() == Some(&session.user));
        let session = session.ok_or(Stop::Forged)?;
        if matter.request().user.as_ref().is_some_and(|user| *user != session.user) {
            return Err(Stop::Forged);
        }
        let user = self.ledger.user(&session.user).await?.filter(|user| !user.disabled).ok_or(Stop::Gone)?;
        let asked = matter.scopes()?;
        let patient = match self.context(&matter, &user, &asked).await? {
            Context::None => None,
            Context::Of(card) => Some(card),
            Context::Open | Context::Closed => return Err(Stop::Forged),
        };
        let granted = match fields.get("decision") {
            Some("allow") => granted(&asked, fields)?,
            Some("deny") => ScopeSet::default(),
            Some(_) | None => return Err(Stop::Forged),
        };
        if !opens_something(&granted, &asked) {
            if !self.ledger.give_up(&matter.interaction.id, self.now).await? {
                return Err(Stop::Gone);
            }
            let about = matter.about(Some(&user.name), patient.as_ref().map(|card| card.id.as_str()));
            let noted = vec![Noted::failed("consent", about.clone(), "denied")];
            return Ok(Turn { noted, ..self.denied(&matter, about, DenialCode::AccessDenied, "the user denied it") });
        }
        self.allowed("consent", &matter, &session, &user, patient.as_ref(), &granted).await
    }

    /// The way back with a code. The audit log has it under the name of `event`.
    pub(super) async fn allowed(
        &self,
        event: &'static str,
        matter: &Matter,
        session: &Session,
        user: &User,
        patient: Option<&PatientCard>,
        granted: &ScopeSet,
    ) -> Result<Turn, Stop> {
        let request = matter.request();
        let ends = self.now + CODE_LIFE;
        let grant = GrantRow {
            id: token_of(self.random, "grant"),
            client: matter.client.client_id.clone(),
            subject: Some(user.name.clone()),
            scope: granted.to_string(),
            patient: patient.map(|card| card.id.clone()),
            fhir_user: user.fhir_user.clone(),
            session: Some(session.id.clone()),
            online: granted.has("online_access") && !granted.has("offline_access"),
            created_at: self.now,
            expires_at: ends,
        };
        let mut interaction = matter.interaction.clone();
        interaction.request.auth_time = Some(session.since);
        let code = token_of(self.random, "code");
        if !self.ledger.issue(&interaction, &grant, &hashed(&code), ends).await? {
            return Err(Stop::Gone);
        }
        let step =
            Step::Leave(matter.redirect.with(&[("code", &code), ("state", &request.state), ("iss", self.issuer)]));
        let about = matter.about(Some(&user.name), grant.patient.as_deref());
        let noted = vec![Noted::done(event, About { grant: Some(grant.id), ..about })];
        Ok(Turn { step, cookie: None, noted })
    }
}

/// What was asked for and ticked. What was not asked for is not granted, whatever the form says.
fn granted(asked: &ScopeSet, fields: Fields<'_>) -> Result<ScopeSet, Stop> {
    let ticked: Vec<_> = fields.all("scope").collect();
    if !ticked.iter().all(|ticked| asked.iter().any(|(written, _)| written == *ticked)) {
        return Err(Stop::Forged);
    }
    Ok(asked.retained(|written, _| is_context(written) || ticked.contains(&written)))
}

/// Whether it grants anything: of an app that asks for records, records.
fn opens_something(granted: &ScopeSet, asked: &ScopeSet) -> bool {
    if asked.clinical().next().is_some() {
        return granted.clinical().next().is_some();
    }
    let deniable = |scopes: &ScopeSet| scopes.iter().any(|(written, _)| !is_context(written));
    deniable(granted) || !deniable(asked)
}
