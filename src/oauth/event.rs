//! Events of the authorization server, for the audit log.

use super::auth_store::GrantRow;
use super::patients::PatientCard;
use fhir::Id;

/// The participants and the context of an event. It contains no credential.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventContext {
    /// The `client_id` of the app.
    pub client: Option<String>,
    /// The keyed hash of a claimed `client_id` that is not registered. The text itself is not logged, since it may be a
    /// secret or a token.
    pub unknown_client: Option<String>,
    /// The name of the user.
    pub user: Option<String>,
    /// The keyed hash of an unknown user name. The name itself is not logged, since it may be a password.
    pub unknown_user: Option<String>,
    /// The `client_id` of the launched app, if another client launches it.
    pub launched: Option<String>,
    /// The patient in context, of a token, an authorization or a launch.
    pub patient: Option<String>,
    /// The id of the authorization, which is the `sid` of its tokens, or of a link.
    pub grant: Option<String>,
    /// The name of the opener of a link, as the caller says.
    pub recipient: Option<String>,
}

impl From<GrantRow> for EventContext {
    fn from(GrantRow { id, client, subject, patient, .. }: GrantRow) -> Self {
        Self { client: Some(client), user: subject, patient, grant: Some(id), ..Self::default() }
    }
}

/// An event for the audit log. Each step reports its events ([`super::Step::events`]), and `api` logs each as one line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Event {
    /// The name of the action.
    pub name: &'static str,
    /// The participants and the context.
    pub context: EventContext,
    /// The patients whose data a page shows, in ascending order without duplicates.
    pub patients: Vec<Id>,
    /// The error code if the action failed.
    pub error: Option<&'static str>,
}

impl Event {
    /// Returns a successful action.
    pub const fn done(name: &'static str, context: EventContext) -> Self {
        Self { name, context, patients: Vec::new(), error: None }
    }

    /// Returns a failed action.
    pub const fn failed(name: &'static str, context: EventContext, error: &'static str) -> Self {
        Self { name, context, patients: Vec::new(), error: Some(error) }
    }

    /// Returns the disclosure of these patients by a page.
    pub fn disclosed(context: EventContext, patients: &[PatientCard]) -> Self {
        let mut event = Self::done("patients-shown", context);
        for card in patients {
            if let Some(id) = Id::parse(&card.id) {
                id.put(&mut event.patients);
            }
        }
        event
    }
}
