//! The consent page: the user grants or denies the scopes of an app.

use super::encounter::EncounterContext;
use super::page::{OMIT_FIELD, PART_FIELD, is_context};
use super::patient::Context;
use super::{Screen, SignIn, SignInError, Step, VerifiedRequest};
use crate::auth_store::{AuthStore, GrantRow, Session, User};
use crate::crypto::Crypto;
use crate::event::{Event, EventContext};
use crate::form_fields::FormFields;
use crate::launch_context::LaunchContext;
use crate::patients::{EncounterCard, PatientCard, PatientDirectory};
use crate::secret::{hashed, token_of};
use smart::{Scope, ScopePart, ScopeSet, granted_scopes, parts};

/// The life of an authorization code, in seconds.
const CODE_LIFE: i64 = 60;

/// The patient and the encounter in context of an authorization.
#[derive(Debug, Clone, Copy)]
pub(super) struct InContext<'a> {
    pub patient: Option<&'a PatientCard>,
    /// The encounter, which belongs to the patient.
    pub encounter: Option<&'a EncounterCard>,
}

impl<L: AuthStore, C: Crypto, P: PatientDirectory> SignIn<'_, L, C, P> {
    /// Handles the answer to the consent page.
    ///
    /// # Errors
    /// If the form is not ours or is of another user, or if the request was already answered.
    pub async fn decide(&self, fields: FormFields<'_>) -> Result<Step, SignInError> {
        let (verified, session) = self.verify_form(fields).await?;
        let session = session.filter(|session| verified.pending.user.as_ref() == Some(&session.user));
        let session = session.ok_or(SignInError::Forged)?;
        if verified.request().user.as_ref().is_some_and(|user| *user != session.user) {
            return Err(SignInError::Forged);
        }
        let user = self.auth_store.user(&session.user).await?.filter(|user| !user.disabled).ok_or(SignInError::Gone)?;
        let requested = verified.scopes()?;
        let patient = match self.determine_context(&verified, &user, &requested).await? {
            Context::NotNeeded => None,
            Context::Patient(card) => Some(card),
            Context::Undetermined | Context::NotPermitted => return Err(SignInError::Forged),
        };
        let encounter = self.determine_encounter(&verified, &user, patient.as_ref(), &requested).await?;
        let encounter = match &encounter {
            EncounterContext::None => None,
            EncounterContext::Encounter(card) => Some(card),
            EncounterContext::Undetermined(_) | EncounterContext::NotPermitted => return Err(SignInError::Forged),
        };
        let granted = match fields.get("decision") {
            Some("allow") => read_granted(&requested, fields)?,
            Some("deny") => ScopeSet::default(),
            Some(_) | None => return Err(SignInError::Forged),
        };
        if !grants_something(&granted, &requested) {
            if !self.auth_store.abandon(&verified.pending.id, self.now).await? {
                return Err(SignInError::Gone);
            }
            let event_context = verified.event_context(Some(&user.name), patient.as_ref().map(|card| card.id.as_str()));
            let events = vec![Event::failed("consent", event_context.clone(), "denied")];
            return Ok(Step { events, ..self.deny(&verified, event_context, "access_denied", "the user denied it") });
        }
        let context = InContext { patient: patient.as_ref(), encounter };
        self.issue_code("consent", &verified, &session, &user, context, &granted).await
    }

    /// Issues a code and redirects to the app. The event in the audit log has the name `event`.
    pub(super) async fn issue_code(
        &self,
        event: &'static str,
        verified: &VerifiedRequest,
        session: &Session,
        user: &User,
        InContext { patient, encounter }: InContext<'_>,
        granted: &ScopeSet,
    ) -> Result<Step, SignInError> {
        let request = verified.request();
        let ends = self.now + CODE_LIFE;
        let grant = GrantRow {
            id: request.resource.grant_id(token_of(self.random, "grant")),
            client: verified.client.client_id.clone(),
            subject: Some(user.name.clone()),
            scope: granted.to_string(),
            patient: patient.map(|card| card.id.clone()),
            context: LaunchContext { encounter: encounter.map(|card| card.id.clone()), ..request.context.clone() },
            fhir_user: user.fhir_user.clone(),
            session: Some(session.id.clone()),
            online: granted.has("online_access") && !granted.has("offline_access"),
            created_at: self.now,
            expires_at: ends,
        };
        let mut pending = verified.pending.clone();
        pending.request.auth_time = session.was_prompted.then_some(session.since);
        let code = token_of(self.random, "code");
        if !self.auth_store.store_code(&pending, &grant, &hashed(&code), ends).await? {
            return Err(SignInError::Gone);
        }
        let screen =
            Screen::Leave(verified.redirect.with(&[("code", &code), ("state", &request.state), ("iss", self.issuer)]));
        let event_context = verified.event_context(Some(&user.name), grant.patient.as_deref());
        let events = vec![Event::done(event, EventContext { grant: Some(grant.id), ..event_context })];
        Ok(Step { screen, cookie: None, events })
    }
}

/// Returns the scopes that the user granted of the requested ones ([`granted_scopes`]). A scope of a group that the
/// user left out counts as unticked. An unticked scope counts as ticked if the user ticked a part of it instead. Other
/// scopes are never granted, whatever the form contains.
fn read_granted(requested: &ScopeSet, fields: FormFields<'_>) -> Result<ScopeSet, SignInError> {
    let omitted: Vec<_> = fields.all(OMIT_FIELD).flat_map(|scopes| scopes.split(' ')).collect();
    let ticked: Vec<_> = fields.all("scope").collect();
    let ticked_parts: Vec<_> = fields.all(PART_FIELD).collect();
    let is_requested = |ticked: &&str| requested.iter().any(|(written, _)| written == *ticked);
    let offered: Vec<_> = requested.iter().flat_map(|(_, scope)| parts(scope)).map(ScopePart::written).collect();
    if !ticked.iter().all(is_requested) || !ticked_parts.iter().all(|part| offered.iter().any(|known| known == part)) {
        return Err(SignInError::Forged);
    }
    let is_ticked = |written: &str| ticked.contains(&written) && !omitted.contains(&written);
    let not_omitted = || requested.iter().filter(|(written, _)| !omitted.contains(written));
    let mut chosen_parts: Vec<_> = not_omitted().flat_map(|(_, scope)| parts(scope)).collect();
    chosen_parts.retain(|part| ticked_parts.contains(&part.written().as_str()));
    let part_of = |scope: &Scope| parts(scope).find(|part| chosen_parts.contains(part));
    let is_by_part = |(own, scope): (&str, &Scope)| {
        let part = part_of(scope);
        let mut alike = requested.iter().filter(|(_, other)| part_of(other) == part);
        part.is_some() && !omitted.contains(&own) && !alike.any(|(other, _)| is_ticked(other))
    };
    let by_part: Vec<_> = requested.iter().filter(|scope| is_by_part(*scope)).map(|(written, _)| written).collect();
    let is_granted = |written: &str| is_context(written) || is_ticked(written) || by_part.contains(&written);
    let granted = granted_scopes(requested, is_granted, &chosen_parts);
    let is_short = granted.to_string().len() <= ScopeSet::MAX_LENGTH;
    is_short.then_some(granted).ok_or_else(|| SignInError::Broken("the granted scopes are too long".to_owned()))
}

/// Returns whether the granted scopes are of any use. If the app requested records, they must include records.
fn grants_something(granted: &ScopeSet, requested: &ScopeSet) -> bool {
    if requested.resource_scopes().next().is_some() {
        return granted.resource_scopes().next().is_some();
    }
    let deniable = |scopes: &ScopeSet| scopes.iter().any(|(written, _)| !is_context(written));
    deniable(granted) || !deniable(requested)
}
