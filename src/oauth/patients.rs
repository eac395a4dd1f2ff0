//! The directory of patients, for the patient selection.

use crate::error::AuthStoreError;

/// The demographic data by which people recognize a patient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatientCard {
    /// The logical id.
    pub id: String,
    /// The name.
    pub name: String,
    /// The birth date.
    pub born: Option<String>,
    /// True if the patient has died.
    pub is_deceased: bool,
}

/// The patients who were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FoundPatients {
    /// The patients whose records can be read, in alphabetical order.
    pub cards: Vec<PatientCard>,
    /// The reason why patients are missing: their stored data are damaged. Only for the log.
    pub unread: Option<String>,
}

/// The data by which people recognize an encounter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncounterCard {
    /// The logical id.
    pub id: String,
    /// The type or class, as text in the record. Empty if there is none.
    pub title: String,
    /// The date and time at which it began, as written in the record.
    pub since: Option<String>,
}

/// A query for patients.
#[derive(Debug, Clone, Copy)]
pub enum PatientQuery<'a> {
    /// The patients with these ids.
    These(&'a [String]),
    /// The patients whose name contains these words.
    Named(&'a str),
}

/// A directory of patients by name, restricted to those whom a user may see.
pub trait PatientDirectory {
    /// Returns the requested patients whom that user may see, without those who cannot be read.
    async fn find(&self, user: &str, wanted: PatientQuery<'_>) -> Result<FoundPatients, AuthStoreError>;

    /// Returns the encounters of a patient that a user may see, the newest first and at most a hundred, or the one with
    /// that id. The list is empty if the user may not see the patient.
    async fn encounters(
        &self,
        user: &str,
        patient: &str,
        id: Option<&str>,
    ) -> Result<Vec<EncounterCard>, AuthStoreError>;

    /// Returns an encounter, if it belongs to that patient and that user may see it.
    async fn find_encounter(
        &self,
        user: &str,
        patient: &str,
        id: &str,
    ) -> Result<Option<EncounterCard>, AuthStoreError> {
        Ok(self.encounters(user, patient, Some(id)).await?.into_iter().find(|card| card.id == id))
    }

    /// Returns a patient, if that user may see the patient.
    async fn find_one(&self, user: &str, id: &str) -> Result<Option<PatientCard>, AuthStoreError> {
        let FoundPatients { cards, unread } = self.find(user, PatientQuery::These(&[id.to_owned()])).await?;
        match (cards.into_iter().find(|card| card.id == id), unread) {
            (None, Some(why)) => Err(AuthStoreError(why)),
            (card, _) => Ok(card),
        }
    }
}
