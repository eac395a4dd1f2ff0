//! The endpoints under `/oauth` that clients call: token, introspection and revocation.

use super::style::style_path;
use crate::app_context::AppContext;
use crate::audit::AuditEntry;
use crate::http::call::Call;
use crate::http::form::{FormPairs, decode, is_form, is_json, json_in};
use crate::http::reply::{HeaderPolicy, Reply};
use crate::http::routes::ClientRequest;
use crate::http::throttle::WAIT;
use fhir::json;
use oauth::{AuthStore, Crypto, Fetch, GrantType, Guard, OAuthError, OAuthErrorCode, TokenRequest, TokenService};

/// Returns the service that answers a call.
pub fn service<'a, S, L, C>(app: &'a AppContext<'_, S, L, C>, call: &'a Call<'_>) -> TokenService<'a, L, C> {
    TokenService {
        auth_store: &app.auth_store,
        crypto: app.crypto,
        documents: app.documents,
        keys: app.keys,
        issuer: &app.settings.issuer,
        audience: &app.settings.base,
        agents: app.settings.admitted_agents(),
        style_path: style_path(),
        refresh_days: app.settings.refresh_days,
        now: call.moment.seconds(),
        random: &call.moment.random,
    }
}

/// Answers a client. The second value is for the log.
pub async fn answer<S, L: AuthStore + Guard, C: Crypto + Fetch, B>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    what: ClientRequest,
    audit: &mut AuditEntry,
) -> (Reply<B>, Option<String>) {
    let service = service(app, call);
    let (authorization, network) = (call.header("Authorization"), call.network());
    let text = async {
        let form = form_of(call)?;
        let request = TokenRequest { authorization: authorization.as_deref(), form: &form, network: &network };
        audit.record_claim(request.claimed().as_deref());
        Ok::<_, OAuthError>(match what {
            ClientRequest::Token => {
                let grant_type = request.get("grant_type").and_then(GrantType::parse);
                audit.event.name = grant_type.map_or("token", GrantType::event);
                let issued = service.answer(&request).await?;
                audit.event.context = issued.about.clone();
                json(&issued)
            }
            ClientRequest::Introspect => {
                let (state, grant) = service.introspect(&request).await?;
                audit.event.context.grant = grant;
                state.to_string()
            }
            ClientRequest::Revoke => {
                audit.event.context.grant = service.revoke(&request).await?;
                String::new()
            }
        })
    }
    .await;
    match text {
        Ok(text) => (Reply::text(200, HeaderPolicy::UncachedJson, text), None),
        Err(error) => {
            audit.record_refusal(error.code.code());
            let context = &mut audit.event.context;
            if let Some(claim) = context.client.take() {
                if service.is_registered(&claim).await {
                    context.client = Some(claim);
                } else {
                    context.unknown_client = Some(app.settings.pepper.pseudonym("client", &claim));
                }
            }
            (error_reply(&error), error.detail)
        }
    }
}

/// Registers an agent (RFC 7591).
pub fn register_agent<S, L, C, B>(app: &AppContext<'_, S, L, C>, call: &Call<'_>, audit: &mut AuditEntry) -> Reply<B> {
    let invalid = |why| OAuthError::new(OAuthErrorCode::InvalidRequest, why);
    let metadata = call.body.as_deref().filter(|_| is_json(call)).and_then(json_in);
    let registered = match (metadata, app.settings.admitted_agents()) {
        (Some(metadata), Some(agents)) => agents.register(&metadata, call.moment.seconds()),
        (None, _) | (_, None) => Err(invalid("the body is not JSON, has a member twice, or is too long")),
    };
    match registered {
        Ok(answer) => Reply::text(201, HeaderPolicy::UncachedJson, answer.to_string()),
        Err(error) => {
            audit.record_refusal(error.code.code());
            error_reply(&error)
        }
    }
}

/// Returns the answer to a method that an address of the authorization server does not accept.
pub fn wrong_method<B>(allow: &'static str) -> Reply<B> {
    let error = OAuthError::new(OAuthErrorCode::InvalidRequest, "the address does not take that method");
    Reply::text(405, HeaderPolicy::UncachedJson, error.to_json()).with("Allow", allow)
}

/// Returns the answer to a path under `/oauth/` that has no route.
pub fn no_route<B>() -> Reply<B> {
    let error = OAuthError::new(OAuthErrorCode::InvalidRequest, "there is nothing at this address");
    Reply::text(404, HeaderPolicy::UncachedJson, error.to_json())
}

/// Returns the answer to a network that has reached its limit.
pub fn too_many<B>() -> Reply<B> {
    let error = OAuthError::new(OAuthErrorCode::TooManyRequests, "there are too many requests; try again later");
    error_reply(&OAuthError { retry_after: Some(WAIT), ..error })
}

/// Returns the parameters in the body. An address may be logged, so it has none (RFC 6749, section 2.3.1).
fn form_of(call: &Call<'_>) -> Result<FormPairs, OAuthError> {
    let invalid = |why| OAuthError::new(OAuthErrorCode::InvalidRequest, why);
    if !call.query().is_empty() {
        return Err(invalid("the address has parameters; they are taken in the body alone"));
    }
    if !is_form(call) {
        return Err(invalid("the body is not application/x-www-form-urlencoded"));
    }
    let body = call.body.as_deref().ok_or_else(|| invalid("the body is too long"))?;
    let text = std::str::from_utf8(body).map_err(|_| invalid("the body is not UTF-8"))?;
    decode(text).map_err(|_| invalid("the body is not well formed"))
}

/// Returns the answer for an OAuth error.
pub fn error_reply<B>(error: &OAuthError) -> Reply<B> {
    let reply = Reply::text(error.code.status(), HeaderPolicy::UncachedJson, error.to_json());
    let reply = match error.retry_after {
        Some(seconds) => reply.with("Retry-After", seconds.to_string()),
        None => reply,
    };
    let challenge = [
        (OAuthErrorCode::InvalidClient, "Basic realm=\"oauth\""),
        (OAuthErrorCode::InvalidToken, "Bearer error=\"invalid_token\""),
        (OAuthErrorCode::InsufficientScope, "Bearer error=\"insufficient_scope\", scope=\"launch\""),
    ];
    match challenge.into_iter().find(|(code, _)| *code == error.code) {
        Some((_, challenge)) => reply.with("WWW-Authenticate", challenge),
        None => reply,
    }
}
