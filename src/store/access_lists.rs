//! The lists of patients whom users may see, from the database in which they are written.

use std::collections::BTreeSet;

use super::evaluate::{AccessList, AccessLists};
use super::sql::{Database, Rows, Statement};
use super::StoreError;
use crate::fhir::Id;
use crate::smart::{AccessRule, PatientSet};

/// Reads the access lists of these users in one batch, or none if there are no users.
///
/// # Errors
/// If the database does not answer.
pub async fn access_lists<D: Database>(database: &D, users: BTreeSet<&str>) -> Result<AccessLists, StoreError> {
    if users.is_empty() {
        return Ok(AccessLists::new());
    }
    let listed = |user: &&str| Statement {
        text: "SELECT a.patient FROM access a WHERE a.user = ?1".to_owned(),
        binds: vec![(*user).to_owned()],
    };
    let answers = database.batch(users.iter().map(listed).collect()).await;
    let answers = answers.map_err(|error| StoreError::Unavailable(error.0))?;
    let access_list = |rows: &D::Rows| {
        let patients: Vec<_> = (0..rows.count()).filter_map(|row| rows.text(row, "patient")).collect();
        if patients.iter().any(|patient| patient == "*") {
            return AccessList::All;
        }
        AccessList::These(patients.iter().filter_map(|patient| Id::parse(patient)).collect())
    };
    Ok(users.iter().zip(answers).map(|(user, rows)| ((*user).to_owned(), access_list(&rows))).collect())
}

/// The users whose access lists the rules need.
pub fn users<'a>(rules: impl Iterator<Item = &'a [AccessRule]>) -> BTreeSet<&'a str> {
    let user = |rule: &'a AccessRule| match &rule.patients {
        PatientSet::AccessList(user) => Some(user.as_str()),
        PatientSet::All | PatientSet::One(_) => None,
    };
    rules.flatten().filter_map(user).collect()
}
