//! Rows of authorizations.

use super::sql_auth_store::{integer, maybe};
use database::{Rows, Statement};
use oauth::{AuthStoreError, GrantRow, LaunchContext};

/// The columns of a grant.
pub const GRANT: &str = "g.id AS grant_id, g.client, g.subject, g.scope, g.patient, g.encounter, g.intent, \
                     g.banner, g.fhir_user, g.session, g.online, \
                     g.created_at, g.expires_at AS grant_ends";

pub fn grant_of<R: Rows>(rows: &R, row: usize) -> Result<Option<GrantRow>, AuthStoreError> {
    let text = |column| rows.text(row, column);
    let (Some(id), Some(client)) = (text("grant_id"), text("client")) else { return Ok(None) };
    Ok(Some(GrantRow {
        id,
        client,
        subject: text("subject"),
        scope: rows.required_text(row, "scope").map_err(|error| AuthStoreError(error.detail))?,
        patient: text("patient"),
        context: LaunchContext {
            encounter: text("encounter"),
            intent: text("intent"),
            has_banner: integer(rows, row, "banner")? != 0,
        },
        fhir_user: text("fhir_user"),
        session: text("session"),
        online: integer(rows, row, "online")? != 0,
        created_at: integer(rows, row, "created_at")?,
        expires_at: integer(rows, row, "grant_ends")?,
    }))
}

/// Inserts a grant if the condition holds. The binds of the condition follow thirteen others.
pub fn insert_grant(row: &GrantRow, condition: &str, binds: &[&str]) -> Statement {
    let GrantRow { id, client, subject, scope, patient, context, .. } = row;
    let GrantRow { fhir_user, session, online, created_at, expires_at, .. } = row;
    let text = "INSERT INTO grants (id, client, subject, scope, patient, fhir_user, session, online, created_at, \
                expires_at, encounter, intent, banner) \
                SELECT ?1, ?2, nullif(?3, ''), ?4, nullif(?5, ''), nullif(?6, ''), nullif(?7, ''), ?8, ?9, ?10, \
                nullif(?11, ''), nullif(?12, ''), CAST(?13 AS INTEGER)";
    let mut all = vec![
        id.clone(),
        client.clone(),
        maybe(subject.as_deref()),
        scope.clone(),
        maybe(patient.as_deref()),
        maybe(fhir_user.as_deref()),
        maybe(session.as_deref()),
        i32::from(*online).to_string(),
        created_at.to_string(),
        expires_at.to_string(),
        maybe(context.encounter.as_deref()),
        maybe(context.intent.as_deref()),
        i32::from(context.has_banner).to_string(),
    ];
    all.extend(binds.iter().map(|bind| (*bind).to_owned()));
    Statement { text: format!("{text} {condition} RETURNING id"), binds: all }
}
