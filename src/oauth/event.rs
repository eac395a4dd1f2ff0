//! Events of the authorization server, for the audit log.

use super::auth_store::GrantRow;
use super::signin::PatientCard;
use crate::fhir::Id;

/// Who took part in an event, and in which context. It holds nothing that could be used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventContext {
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

impl From<GrantRow> for EventContext {
    fn from(GrantRow { id, client, subject, patient, .. }: GrantRow) -> Self {
        Self { client: Some(client), user: subject, patient, grant: Some(id), ..Self::default() }
    }
}

/// An event. Each step reports its own ([`super::Step::events`]), and `api` writes a line of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// What was done or tried.
    pub name: &'static str,
    /// Who took part.
    pub context: EventContext,
    /// The patients of whom a page shows something: in order, each once.
    pub shown: Vec<Id>,
    /// Why it did not succeed.
    pub error: Option<&'static str>,
}

impl Event {
    /// An event that succeeded.
    #[must_use]
    pub const fn done(name: &'static str, context: EventContext) -> Self {
        Self { name, context, shown: Vec::new(), error: None }
    }

    /// An event that did not.
    #[must_use]
    pub const fn failed(name: &'static str, context: EventContext, error: &'static str) -> Self {
        Self { name, context, shown: Vec::new(), error: Some(error) }
    }

    /// A page that names these patients.
    #[must_use]
    pub fn shown(context: EventContext, patients: &[PatientCard]) -> Self {
        let mut event = Self::done("patients-shown", context);
        for card in patients {
            if let Some(id) = Id::parse(&card.id) {
                id.put(&mut event.shown);
            }
        }
        event
    }
}
