//! Statements about the tables of the authorization server that the store of records and the jobs also need.

use super::Statement;

/// The SQL condition that the grant `g` is active at `?2`, in seconds since 1970: it is neither revoked nor expired,
/// and if it is `online`, its session has not ended. FHIR, introspection and refresh all use this condition.
pub const GRANT_IS_ACTIVE: &str = "(g.revoked_at IS NULL AND g.expires_at > ?2 AND (g.online = 0 OR EXISTS \
                                   (SELECT 1 FROM sessions s WHERE s.id = g.session AND s.expires_at > ?2)))";

/// Raises the number of corrections, in the database of the authorization server. It is run after the records have been
/// changed. The number is at least the time, so that no number repeats after a restore of that database.
pub const RAISE_CORRECTIONS: &str = "INSERT INTO correction (one, number) VALUES (1, unixepoch()) \
                                     ON CONFLICT DO UPDATE SET number = max(number + 1, unixepoch())";

impl Statement {
    /// Selects a row if the grant with this id is active at `now`, in seconds since 1970, and no row otherwise.
    pub fn live(grant: &str, now: i64) -> Self {
        Self {
            text: format!("SELECT 1 AS live FROM grants g WHERE g.id = ?1 AND {GRANT_IS_ACTIVE}"),
            binds: vec![grant.to_owned(), now.to_string()],
        }
    }

    /// Selects a row if the operator has stopped neither this client of another issuer nor this user, and no row
    /// otherwise. It reads three rows at most; the view `stopped_client` would read all clients.
    pub fn not_stopped(client: &str, user: Option<&str>) -> Self {
        const TEXT: &str = "SELECT 1 AS live WHERE NOT EXISTS (SELECT 1 FROM stopped WHERE client = ?1) AND NOT EXISTS \
            (SELECT 1 FROM clients WHERE id = ?1 AND json_extract(registration, '$.disabled')) AND NOT EXISTS \
            (SELECT 1 FROM users WHERE name = ?2 AND disabled)";
        Self { text: TEXT.to_owned(), binds: vec![client.to_owned(), user.unwrap_or_default().to_owned()] }
    }
}
