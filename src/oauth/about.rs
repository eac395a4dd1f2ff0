//! Events of the authorization server, as the audit log has them.

use super::ledger::GrantRow;
use super::signin::PatientCard;
use crate::fhir::Id;

/// Who took part in an event, and in which context. It holds nothing that could be used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// The app.
    pub client: Option<String>,
    /// The user.
    pub user: Option<String>,
    /// The keyed hash of a name that no user has: people type passwords into that field too.
    pub unknown_user: Option<String>,
    /// The app that is launched, where another client launches it.
    pub launched: Option<String>,
    /// The patient in context, of a token, an authorization or a launch.
    pub patient: Option<String>,
    /// The authorization, which its tokens name as `sid`.
    pub grant: Option<String>,
}

impl From<GrantRow> for About {
    fn from(GrantRow { id, client, subject, patient, .. }: GrantRow) -> Self {
        Self { client: Some(client), user: subject, patient, grant: Some(id), ..Self::default() }
    }
}

/// An event. Each step reports its own ([`super::Turn::noted`]), and `api` writes a line of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    /// What was done or tried.
    pub event: &'static str,
    /// Who took part.
    pub about: About,
    /// The patients of whom a page shows something: in order, each once.
    pub shown: Vec<Id>,
    /// Why it did not succeed.
    pub error: Option<&'static str>,
}

impl Noted {
    /// An event that succeeded.
    #[must_use]
    pub const fn done(event: &'static str, about: About) -> Self {
        Self { event, about, shown: Vec::new(), error: None }
    }

    /// An event that did not.
    #[must_use]
    pub const fn failed(event: &'static str, about: About, error: &'static str) -> Self {
        Self { event, about, shown: Vec::new(), error: Some(error) }
    }

    /// A page that names these patients.
    #[must_use]
    pub fn shown(about: About, patients: &[PatientCard]) -> Self {
        let mut noted = Self::done("patients-shown", about);
        for card in patients {
            if let Some(id) = Id::parse(&card.id) {
                id.put(&mut noted.shown);
            }
        }
        noted
    }
}
