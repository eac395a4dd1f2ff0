//! The page on which a user sees and withdraws the access of apps.

use super::login::MANAGE;
use super::page::{FAILURE_PARAMETER, ManagePage, NAMED_PATIENTS, NextPage, PasskeyList, SignInFailure};
use super::passkeys::CHANGED;
use super::patients::{PatientCard, PatientDirectory, PatientQuery};
use super::{Cookie, FormFields, FormTokens, Screen, SignIn, SignInError, Step, csrf_token};
use crate::auth_store::{AppAccess, AuthStore, Session};
use crate::crypto::Crypto;
use crate::event::{Event, EventContext};

impl<L: AuthStore, C: Crypto, P: PatientDirectory> SignIn<'_, L, C, P> {
    /// Returns the page, or the sign-in page if nobody is signed in.
    ///
    /// # Errors
    /// If the storage does not answer.
    pub async fn manage(&self, fields: FormFields<'_>) -> Result<Step, SignInError> {
        let (visit, cookie) = self.ensure_visit();
        let again = fields.get("again").is_some();
        let failure = fields.get(FAILURE_PARAMETER).and_then(SignInFailure::named);
        let screen = match self.find_session().await? {
            Some(session) if !again && failure.is_none() => self.overview(&visit, &session, fields).await?,
            Some(_) | None => Screen::SignIn(self.sign_in_page(None, &visit, failure, again)),
        };
        Ok(Step { screen, cookie, events: Vec::new() })
    }

    /// Withdraws the access of an app, or signs the user out.
    ///
    /// # Errors
    /// If the form is not ours, or the storage does not answer.
    pub async fn withdraw(&self, fields: FormFields<'_>) -> Result<Step, SignInError> {
        self.check_form(fields, MANAGE)?;
        let Some(session) = self.find_session().await? else { return Ok(Screen::Show(NextPage::default()).into()) };
        if fields.get("action") == Some("sign-out") {
            self.auth_store.close_session(&session.id).await?;
            let event_context = EventContext { user: Some(session.user), ..EventContext::default() };
            let events = vec![Event::done("sign-out", event_context)];
            return Ok(Step { screen: Screen::Show(NextPage::default()), cookie: Some(Cookie::SignedOut), events });
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
    async fn overview(&self, visit: &str, session: &Session, fields: FormFields<'_>) -> Result<Screen, SignInError> {
        let apps = self.auth_store.apps_of(&session.user, self.now).await?;
        let withdrawn = fields.get("withdrawn").is_some_and(|client| apps.iter().all(|app| app.client != client));
        let form_tokens = FormTokens { pending: None, csrf: csrf_token(visit, MANAGE), leads_to: None };
        let passkeys = if self.passkeys {
            Some(PasskeyList {
                origin: self.issuer.to_owned(),
                passkeys: self.auth_store.passkeys_of(&session.user).await?,
                may_change: self.is_recent(session),
                changed: fields.get(CHANGED).map(str::to_owned),
            })
        } else {
            None
        };
        let patients = self.patients_of(&session.user, &apps).await;
        Ok(Screen::Manage(ManagePage { form_tokens, user: session.user.clone(), apps, patients, withdrawn, passkeys }))
    }

    /// Returns the patients of these apps. Unreadable ones are not named, but access can still be withdrawn.
    async fn patients_of(&self, user: &str, apps: &[AppAccess]) -> Vec<PatientCard> {
        let mut ids: Vec<_> = apps.iter().flat_map(|app| &app.patients).cloned().collect();
        ids.sort_unstable();
        ids.dedup();
        ids.truncate(NAMED_PATIENTS);
        if ids.is_empty() {
            return Vec::new();
        }
        self.patients.find(user, PatientQuery::These(&ids)).await.map(|found| found.cards).unwrap_or_default()
    }
}
