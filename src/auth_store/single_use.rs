//! Authorizations, and the authorization codes and refresh tokens that belong to them.

use serde_json::Value;

use super::sql_auth_store::{SqlAuthStore, integer, malformed, maybe, maybe_integer, sql};
use super::users::use_session;
use database::{Database, GRANT_IS_ACTIVE, Rows, Statement};
use oauth::{
    AppAccess, AuthStoreError, Exchange, GrantRow, LaunchContext, NextRefreshToken, PendingAuthorization, Session,
    SingleUseToken, SingleUseTokenKind,
};

const GRANT: &str = "g.id AS grant_id, g.client, g.subject, g.scope, g.patient, g.encounter, g.intent, \
                     g.banner, g.fhir_user, g.session, g.online, \
                     g.created_at, g.expires_at AS grant_ends";

fn grant_of<R: Rows>(rows: &R, row: usize) -> Result<Option<GrantRow>, AuthStoreError> {
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

impl<D: Database> SqlAuthStore<D> {
    pub(super) async fn issue_code(
        &self,
        pending: &PendingAuthorization,
        grant: &GrantRow,
        code: &str,
        expires_at: i64,
    ) -> Result<bool, AuthStoreError> {
        let launch = maybe(pending.request.launch.as_deref());
        let request = serde_json::to_string(&pending.request).map_err(malformed("a code"))?;
        let now = grant.created_at.to_string();
        let is_pending = "WHERE EXISTS (SELECT 1 FROM pending_authorizations p WHERE p.id = ?14 AND p.expires_at > ?15) \
                          AND (?16 = '' OR EXISTS (SELECT 1 FROM launches l WHERE l.id = ?16 AND l.expires_at > ?15))";
        let batch = vec![
            insert_grant(grant, is_pending, &[&pending.id, &now, &launch]),
            sql(
                "INSERT INTO single_use_tokens (id, kind, grant_id, request, expires_at) \
                 SELECT ?1, 'code', g.id, ?3, ?4 FROM grants g WHERE g.id = ?2",
                [code, &grant.id, &request, &expires_at.to_string()],
            ),
            sql("DELETE FROM launches WHERE id = ?1", [&launch]),
            sql("DELETE FROM pending_authorizations WHERE id = ?1", [&pending.id]),
        ];
        Ok(self.batch(batch).await?.first().is_some_and(|rows| rows.count() > 0))
    }

    pub(super) async fn find_single_use_token(
        &self,
        kind: SingleUseTokenKind,
        id: &str,
        now: i64,
    ) -> Result<Option<SingleUseToken>, AuthStoreError> {
        let text = format!(
            "SELECT {GRANT}, {GRANT_IS_ACTIVE} AS is_active, t.redeemed_by, t.expires_at AS ends, t.request \
             FROM single_use_tokens t JOIN grants g ON g.id = t.grant_id WHERE t.id = ?1 AND t.kind = ?3"
        );
        let rows = self.run(sql(&text, [id, &now.to_string(), kind.name()])).await?;
        let Some(grant) = grant_of(&rows, 0)? else { return Ok(None) };
        let request = rows.text(0, "request");
        let request = request.map(|text| serde_json::from_str(&text).map_err(malformed("a code"))).transpose()?;
        if kind == SingleUseTokenKind::Code && request.is_none() {
            return Err(AuthStoreError("a code has no request that it is bound to".to_owned()));
        }
        Ok(Some(SingleUseToken {
            grant,
            is_active: integer(&rows, 0, "is_active")? != 0,
            redeemed_by: rows.text(0, "redeemed_by"),
            expires_at: integer(&rows, 0, "ends")?,
            request: request.unwrap_or_default(),
        }))
    }

    pub(super) async fn redeem_token(&self, exchange: Exchange<'_>, now: i64) -> Result<bool, AuthStoreError> {
        let Exchange { kind, id, name, next, ends } = exchange;
        let redeem = format!(
            "UPDATE single_use_tokens SET redeemed_by = ?3 WHERE id = ?1 AND kind = ?4 AND redeemed_by IS NULL AND expires_at > ?2 \
             AND EXISTS (SELECT 1 FROM grants g WHERE g.id = single_use_tokens.grant_id AND {GRANT_IS_ACTIVE}) RETURNING id"
        );
        let extend = "UPDATE grants SET expires_at = max(expires_at, CAST(?3 AS INTEGER)), used_at = ?4 WHERE id = \
                      (SELECT t.grant_id FROM single_use_tokens t WHERE t.id = ?1 AND t.redeemed_by = ?2)";
        let online = "(SELECT g.session FROM grants g JOIN single_use_tokens t ON t.grant_id = g.id \
                      WHERE t.id = ?1 AND t.redeemed_by = ?2 AND g.online = 1)";
        let mut batch = vec![
            sql(&redeem, [id, &now.to_string(), name, kind.name()]),
            sql(extend, [id, name, &ends.to_string(), &now.to_string()]),
            use_session(online, &[id, name], now),
        ];
        if let Some(NextRefreshToken { id: successor, expires_at }) = next {
            batch.push(sql(
                "INSERT INTO single_use_tokens (id, kind, grant_id, expires_at) \
                 SELECT ?3, 'refresh', t.grant_id, ?4 FROM single_use_tokens t WHERE t.id = ?1 AND t.redeemed_by = ?2",
                [id, name, successor, &expires_at.to_string()],
            ));
        }
        Ok(self.batch(batch).await?.first().is_some_and(|rows| rows.count() > 0))
    }

    pub(super) async fn find_grant_status(&self, grant: &str, now: i64) -> Result<Option<GrantRow>, AuthStoreError> {
        let text = format!("SELECT {GRANT} FROM grants g WHERE g.id = ?1 AND {GRANT_IS_ACTIVE}");
        grant_of(&self.run(sql(&text, [grant, &now.to_string()])).await?, 0)
    }

    pub(super) async fn find_session_grants(
        &self,
        session: &Session,
        client: &str,
        now: i64,
    ) -> Result<Vec<GrantRow>, AuthStoreError> {
        let text = format!(
            "SELECT {GRANT} FROM grants g WHERE g.subject = ?1 AND {GRANT_IS_ACTIVE} AND g.client = ?3 AND g.session = ?4 \
             ORDER BY g.created_at DESC, g.id LIMIT 200"
        );
        let rows = self.run(sql(&text, [&session.user, &now.to_string(), client, &session.id])).await?;
        (0..rows.count()).filter_map(|row| grant_of(&rows, row).transpose()).collect()
    }

    pub(super) async fn find_apps(&self, user: &str, now: i64) -> Result<Vec<AppAccess>, AuthStoreError> {
        let text = format!(
            "SELECT g.client, coalesce(nullif(json_extract(c.registration, '$.name'), ''), g.client) AS name, \
             json_group_array(DISTINCT g.scope) AS scopes, json_group_array(DISTINCT g.patient) AS patients, \
             min(g.created_at) AS since, max(g.used_at) AS used_at, max(g.expires_at) AS ends \
             FROM grants g LEFT JOIN clients c ON c.id = g.client WHERE g.subject = ?1 AND {GRANT_IS_ACTIVE} \
             GROUP BY g.client ORDER BY max(g.created_at) DESC, g.client"
        );
        let rows = self.run(sql(&text, [user, &now.to_string()])).await?;
        let texts = |row, column| -> Result<Vec<String>, AuthStoreError> {
            let Some(text) = rows.text(row, column) else { return Ok(Vec::new()) };
            let list: Vec<Value> = serde_json::from_str(&text).map_err(malformed(column))?;
            // SQLite does not specify the order of aggregated values.
            let mut list: Vec<_> = list.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            list.sort_unstable();
            Ok(list)
        };
        let app = |(row, client): (usize, String)| {
            Ok(AppAccess {
                name: rows.text(row, "name").unwrap_or_else(|| client.clone()),
                client,
                scope: texts(row, "scopes")?.join(" "),
                patients: texts(row, "patients")?,
                since: integer(&rows, row, "since")?,
                used_at: maybe_integer(&rows, row, "used_at")?,
                expires_at: integer(&rows, row, "ends")?,
            })
        };
        let clients = (0..rows.count()).filter_map(|row| Some((row, rows.text(row, "client")?)));
        clients.map(app).collect()
    }
}
