//! A person sees what apps may do, and withdraws it.

use super::login::MANAGE;
use super::page::ManagePage;
use super::patients::Patients;
use super::{Cookie, Fields, Marks, SignIn, Step, Stop, Turn, mark};
use crate::oauth::about::{About, Noted};
use crate::oauth::crypto::Crypto;
use crate::oauth::ledger::{GrantRow, Ledger, Session};
use crate::oauth::secret::token_of;

impl<L: Ledger, C: Crypto, P: Patients> SignIn<'_, L, C, P> {
    /// The page; the sign-in before it.
    ///
    /// # Errors
    /// Where the storage does not answer.
    pub async fn manage(&self) -> Result<Turn, Stop> {
        let (visit, cookie) = match self.visitor.visit.clone() {
            Some(visit) => (visit, None),
            None => {
                let visit = token_of(self.random, "visit");
                (visit.clone(), Some(Cookie::Visit(visit)))
            }
        };
        let step = match self.session().await? {
            Some(session) => self.overview(&visit, &session, false).await?,
            None => Step::SignIn(self.sign_in(None, &visit, None)),
        };
        Ok(Turn { step, cookie, noted: None })
    }

    /// An authorization is withdrawn, or the person signs out.
    ///
    /// # Errors
    /// Where the form is not one of ours, or the storage does not answer.
    pub async fn withdraw(&self, fields: Fields<'_>) -> Result<Turn, Stop> {
        let visit = self.own_form(fields, MANAGE)?;
        let Some(session) = self.session().await? else {
            return Ok(Step::SignIn(self.sign_in(None, visit, None)).into());
        };
        if fields.get("action") == Some("sign-out") {
            self.ledger.close_session(&session.id).await?;
            let step = Step::SignIn(self.sign_in(None, visit, None));
            let about = About { user: Some(session.user), ..About::default() };
            let noted = Some(Noted::done("sign-out", about));
            return Ok(Turn { step, cookie: Some(Cookie::SignedOut), noted });
        }
        let id = fields.get("withdraw").ok_or(Stop::Forged)?;
        let own = self.ledger.grants_of(&session.user, self.now).await?.into_iter().find(|grant| grant.id == id);
        if let Some(grant) = &own {
            self.ledger.revoke(&grant.id, self.now).await?;
        }
        let noted = own.as_ref().map(|grant| {
            let GrantRow { client, subject, patient, .. } = grant.clone();
            Noted::done("withdraw", About { client: Some(client), user: subject, patient })
        });
        let step = self.overview(visit, &session, own.is_some()).await?;
        Ok(Turn { step, cookie: None, noted })
    }

    pub(super) async fn overview(&self, visit: &str, session: &Session, withdrawn: bool) -> Result<Step, Stop> {
        let mut grants: Vec<(String, GrantRow)> = Vec::new();
        for grant in self.ledger.grants_of(&session.user, self.now).await? {
            let known = grants.iter().find(|(_, known)| grant.client == known.client).map(|(name, _)| name.clone());
            let name = match known {
                Some(name) => name,
                None => {
                    let client = self.ledger.client(&grant.client).await?;
                    client.map_or_else(|| grant.client.clone(), |client| client.title().to_owned())
                }
            };
            grants.push((name, grant));
        }
        let marks = Marks { interaction: None, csrf: mark(visit, MANAGE), leads_to: None };
        Ok(Step::Manage(ManagePage { marks, user: session.user.clone(), grants, withdrawn }))
    }
}
