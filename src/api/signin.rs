//! The authorization server's addresses under `/oauth`.

use super::call::Call;
use super::form::{Form, decode};
use super::reply::{JSON, Reply};
use super::route::{Desk, Settings};
use crate::oauth::{Keys, Ledger, OAuthError, OAuthErrorCode, TokenRequest, TokenService};

/// `POST /oauth/token`, and what only the log may know of it.
pub async fn token<S, L: Ledger, B>(desk: &Desk<'_, S, L>, call: &Call<'_>) -> (Reply<B>, Option<String>) {
    let service = TokenService {
        ledger: &desk.ledger,
        keys: desk.keys,
        issuer: &desk.settings.issuer,
        audience: &desk.settings.base,
        now: call.moment.seconds(),
        random: &call.moment.random,
    };
    let answered = match form_of(call) {
        Ok(form) => {
            let authorization = call.header("Authorization");
            let request = TokenRequest { authorization: authorization.as_deref(), form: &form };
            service.answer(&request).await
        }
        Err(error) => Err(error),
    };
    let (reply, detail) = match answered {
        Ok(issued) => (Reply::text(200, JSON, serde_json::to_string(&issued).unwrap_or_default()), None),
        Err(error) => (refused(&error), error.detail),
    };
    (reply.with("Cache-Control", "no-store").with("Pragma", "no-cache"), detail)
}

/// `GET /oauth/jwks.json`.
pub fn jwks<B>(keys: &Keys, settings: &Settings) -> Reply<B> {
    Reply::text(200, JSON, keys.jwks().to_string()).with("Cache-Control", settings.discovery_cache())
}

/// Any other method than an address of the authorization server takes.
pub fn wrong_method<B>(allow: &'static str) -> Reply<B> {
    let error = OAuthError::new(OAuthErrorCode::InvalidRequest, "the address does not take that method");
    Reply::text(405, JSON, error.to_json()).with("Allow", allow)
}

fn form_of(call: &Call<'_>) -> Result<Form, OAuthError> {
    let refused = |why| OAuthError::new(OAuthErrorCode::InvalidRequest, why);
    let is_form = call.header("Content-Type").as_deref().is_some_and(is_form);
    if !is_form {
        return Err(refused("the body is not application/x-www-form-urlencoded"));
    }
    let body = call.body.as_deref().ok_or_else(|| refused("the body is too long"))?;
    let text = std::str::from_utf8(body).map_err(|_| refused("the body is not UTF-8"))?;
    decode(text).map_err(|_| refused("the body is not well formed"))
}

/// Whether a content type is that of a form.
pub fn is_form(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

fn refused<B>(error: &OAuthError) -> Reply<B> {
    let reply = Reply::text(error.code.status(), JSON, error.to_json());
    match error.code {
        OAuthErrorCode::InvalidClient => reply.with("WWW-Authenticate", "Basic realm=\"oauth\""),
        OAuthErrorCode::InvalidRequest
        | OAuthErrorCode::UnauthorizedClient
        | OAuthErrorCode::UnsupportedGrantType
        | OAuthErrorCode::InvalidScope
        | OAuthErrorCode::ServerError => reply,
    }
}
