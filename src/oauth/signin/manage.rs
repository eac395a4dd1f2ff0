//! The page on which a user sees and withdraws the access of apps.

use super::login::MANAGE;
use super::page::{FAILURE_PARAMETER, ManagePage, NAMED_PATIENTS, NextPage, SignInFailure};
use super::{Cookie, FormTokens, Screen, SignIn, SignInError, Step, csrf_token};
use crate::auth_store::{AppAccess, AuthStore};
use crate::crypto::Crypto;
use crate::event::{Event, EventContext};
use crate::form_fields::FormFields;
use crate::health_link::HealthLink;
use crate::patients::{PatientCard, PatientDirectory, PatientQuery};

impl<L: AuthStore, C: Crypto, P: PatientDirectory> SignIn<'_, L, C, P> {
    /// Returns the page, or the sign-in page if nobody is signed in.
    ///
    /// # Errors
    /// If the storage does not answer.
    pub async fn manage(&self, fields: FormFields<'_>) -> Result<Step, SignInError> {
        let (visit, cookie) = self.ensure_visit();
        let failure = fields.get(FAILURE_PARAMETER).and_then(SignInFailure::named);
        let screen = match self.find_session().await? {
            Some(session) if failure.is_none() => self.overview(&visit, session.user, fields).await?,
            Some(_) | None => Screen::SignIn(self.sign_in_page(None, &visit, failure, false)),
        };
        Ok(Step { screen, cookie, events: Vec::new() })
    }

    /// Withdraws the access of an app, ends a link, or signs the user out.
    pub async fn withdraw(&self, fields: FormFields<'_>) -> Result<Step, SignInError> {
        self.check_form(fields, MANAGE)?;
        let Some(session) = self.find_session().await? else { return Ok(Screen::Show(NextPage::default()).into()) };
        if fields.get("action") == Some("sign-out") {
            self.auth_store.close_session(&session.id).await?;
            let event_context = EventContext { user: Some(session.user), ..EventContext::default() };
            let events = vec![Event::done("sign-out", event_context)];
            return Ok(Step { screen: Screen::Show(NextPage::default()), cookie: Some(Cookie::SignedOut), events });
        }
        if let Some(id) = fields.get("end") {
            let ended = self.auth_store.end_link(&session.user, id).await?;
            let events = ended.map(|HealthLink { id, user, patient, .. }| {
                let (user, patient, grant) = (Some(user), Some(patient), Some(id));
                Event::done("link-ended", EventContext { user, patient, grant, ..EventContext::default() })
            });
            let events = events.into_iter().collect();
            return Ok(Step { screen: Screen::Show(NextPage::default().with("withdrawn", id)), cookie: None, events });
        }
        let client = fields.get("withdraw").ok_or(SignInError::Forged)?;
        let withdrawn = self.auth_store.revoke_app(&session.user, client, self.now).await?;
        let next = if withdrawn { NextPage::default().with("withdrawn", client) } else { NextPage::default() };
        let event_context = EventContext { user: Some(session.user), ..EventContext::default() };
        let event = if withdrawn {
            Event::done("withdraw", EventContext { client: Some(client.to_owned()), ..event_context })
        } else {
            Event::failed("withdraw", event_context, "unknown_client")
        };
        Ok(Step { screen: Screen::Show(next), cookie: None, events: vec![event] })
    }

    /// Returns the page. It confirms a withdrawal only if the app no longer has access.
    async fn overview(&self, visit: &str, user: String, fields: FormFields<'_>) -> Result<Screen, SignInError> {
        let apps = self.auth_store.apps_of(&user, self.now).await?;
        let links = self.auth_store.links_of(&user, self.now).await?;
        let mut held = apps.iter().map(|app| &app.client).chain(links.iter().map(|link| &link.id));
        let withdrawn = fields.get("withdrawn").is_some_and(|name| held.all(|held| held != name));
        let form_tokens = FormTokens { pending: None, csrf: csrf_token(visit, MANAGE), leads_to: None };
        let patients = self.patients_of(&user, &apps, &links).await;
        Ok(Screen::Manage(ManagePage { form_tokens, user, apps, patients, withdrawn, links }))
    }

    /// Returns the patients of these apps and links. Unreadable ones are not named, but access can still be withdrawn.
    async fn patients_of(&self, user: &str, apps: &[AppAccess], links: &[HealthLink]) -> Vec<PatientCard> {
        let of_apps = apps.iter().flat_map(|app| &app.patients);
        let mut ids: Vec<_> = of_apps.chain(links.iter().map(|link| &link.patient)).cloned().collect();
        ids.sort_unstable();
        ids.dedup();
        ids.truncate(NAMED_PATIENTS);
        if ids.is_empty() {
            return Vec::new();
        }
        self.patients.find(user, PatientQuery::These(&ids)).await.map(|found| found.cards).unwrap_or_default()
    }
}
