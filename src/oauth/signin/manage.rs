//! A person sees what apps may do, and withdraws it.

use super::login::MANAGE;
use super::page::{ManagePage, Next, Trouble};
use super::patients::Patients;
use super::{Cookie, Fields, Marks, SignIn, Step, Stop, Turn, mark};
use crate::oauth::about::{About, Noted};
use crate::oauth::crypto::Crypto;
use crate::oauth::ledger::{Ledger, Session};

impl<L: Ledger, C: Crypto, P: Patients> SignIn<'_, L, C, P> {
    /// The page; the sign-in before it.
    ///
    /// # Errors
    /// Where the storage does not answer.
    pub async fn manage(&self, fields: Fields<'_>) -> Result<Turn, Stop> {
        let (visit, cookie) = self.visit();
        let step = match self.session().await? {
            Some(session) => self.overview(&visit, &session, fields.get("withdrawn")).await?,
            None => {
                let trouble = fields.get("trouble").and_then(Trouble::named);
                Step::SignIn(self.sign_in(None, &visit, trouble))
            }
        };
        Ok(Turn { step, cookie, noted: Vec::new() })
    }

    /// The access of an app is withdrawn, or the person signs out.
    ///
    /// # Errors
    /// Where the form is not one of ours, or the storage does not answer.
    pub async fn withdraw(&self, fields: Fields<'_>) -> Result<Turn, Stop> {
        self.own_form(fields, MANAGE)?;
        let Some(session) = self.session().await? else { return Ok(Step::Show(Next::default()).into()) };
        if fields.get("action") == Some("sign-out") {
            self.ledger.close_session(&session.id).await?;
            let about = About { user: Some(session.user), ..About::default() };
            let noted = vec![Noted::done("sign-out", about)];
            return Ok(Turn { step: Step::Show(Next::default()), cookie: Some(Cookie::SignedOut), noted });
        }
        let client = fields.get("withdraw").ok_or(Stop::Forged)?;
        let withdrawn = self.ledger.revoke_app(&session.user, client, self.now).await?;
        let next = if withdrawn { Next::default().with("withdrawn", client) } else { Next::default() };
        let about = About { user: Some(session.user), ..About::default() };
        let noted = if withdrawn {
            Noted::done("withdraw", About { client: Some(client.to_owned()), ..about })
        } else {
            Noted::failed("withdraw", about, "unknown_client")
        };
        Ok(Turn { step: Step::Show(next), cookie: None, noted: vec![noted] })
    }

    /// The page. It says that the access of an app was withdrawn where that app has none.
    async fn overview(&self, visit: &str, session: &Session, withdrawn: Option<&str>) -> Result<Step, Stop> {
        let apps = self.ledger.apps_of(&session.user, self.now).await?;
        let withdrawn = withdrawn.is_some_and(|client| apps.iter().all(|app| app.client != client));
        let marks = Marks { interaction: None, csrf: mark(visit, MANAGE), leads_to: None };
        Ok(Step::Manage(ManagePage { marks, user: session.user.clone(), apps, withdrawn }))
    }
}
