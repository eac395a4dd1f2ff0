//! The bearer token of a request (RFC 6750). It is verified unless the isolate has already verified it. Each step of a
//! request is a type that only the previous step creates: [`ParsedRequest`], [`Authorized`], and then [`Active`] for
//! jobs, or `RecordRequest` for records.

use std::ops::Deref;
use std::rc::Rc;

use super::app_context::AppContext;
use super::audit::AuditEntry;
use super::configuration::settings::Settings;
use super::http::call::Call;
use super::http::form::{FormPairs, decode};
use super::http::negotiate::handling;
use super::http::problem::Problem;
use super::http::throttle::{Limit, Throttle, WAIT, is_admitted};
use super::query_context::QueryContext;
use fhir::{Issue, IssueCode};
use oauth::{Crypto, Fetch, Resource, TokenFault, TrustFault, UnverifiedToken, Verified, verify_trusted};
use search::MAX_COUNT;
use smart::{Grant, ScopeSet};
use store::Store;

/// A request whose parameters have been parsed.
#[derive(Debug)]
pub struct ParsedRequest {
    parameters: FormPairs,
    body: Result<(), Problem>,
}

/// A request whose token has been verified.
#[derive(Debug)]
pub struct Authorized {
    parameters: FormPairs,
    grant: Rc<Grant>,
    is_public: bool,
}

/// A request of a client that acts for itself and whose grant is active.
#[derive(Debug)]
pub struct Active(Authorized);

impl Deref for Active {
    type Target = Authorized;

    fn deref(&self) -> &Authorized {
        &self.0
    }
}

impl ParsedRequest {
    /// Parses the query of a call.
    pub fn of(call: &Call<'_>) -> Result<Self, Problem> {
        let parameters = decode(call.query())?;
        Ok(Self { parameters, body: Ok(()) })
    }

    /// Adds the parameters in a body. Faults of the body are only reported to holders of a token.
    pub fn with_body(mut self, body: Result<FormPairs, Problem>) -> Self {
        self.body = body.map(|form| self.parameters.extend(form));
        self
    }

    /// Returns the parameters of a request that has not been authorized.
    pub const fn parameters(&self) -> &FormPairs {
        &self.parameters
    }

    /// Verifies the token in the `Authorization` header. The client is recorded in the audit log.
    ///
    /// # Errors
    /// If there is no token, if it is invalid, if there is one in the address or the form too, if a rate limit is
    /// reached, or if the body was malformed.
    pub async fn authorize<S, L, C: Crypto + Fetch + Throttle>(
        self,
        app: &AppContext<'_, S, L, C>,
        call: &Call<'_>,
        audit: Option<&mut AuditEntry>,
    ) -> Result<Authorized, Problem> {
        self.authorize_for(Resource::Fhir, app, call, audit).await
    }

    /// Authorizes a request for `/mcp`: its token is for that resource, and the authorization is active. The client is
    /// recorded in the audit log.
    ///
    /// # Errors
    /// As for [`Self::authorize`], and if the status of the authorization is unknown.
    pub async fn authorize_agent<S: Store, L, C: Crypto + Fetch + Throttle>(
        self,
        app: &AppContext<'_, S, L, C>,
        call: &Call<'_>,
        audit: &mut AuditEntry,
    ) -> Result<Authorized, Problem> {
        let authorized = self.authorize_for(Resource::Mcp, app, call, Some(audit)).await?;
        app.store.check(authorized.grant.authorization().as_ref()).await?;
        Ok(authorized)
    }

    async fn authorize_for<S, L, C: Crypto + Fetch + Throttle>(
        self,
        resource: Resource,
        app: &AppContext<'_, S, L, C>,
        call: &Call<'_>,
        audit: Option<&mut AuditEntry>,
    ) -> Result<Authorized, Problem> {
        let Self { parameters, body } = self;
        let grant = grant_of(app, call, &parameters, resource).await?;
        if let Some(audit) = audit {
            audit.by(&grant);
        }
        body.map(|()| Authorized { parameters, grant, is_public: false })
    }

    /// Authorizes a request for records as [`Self::authorize`] does. What the settings open to everybody needs no
    /// token, and is added to the grant of a token.
    ///
    /// # Errors
    /// As for [`Self::authorize`].
    pub async fn authorize_records<S, L, C: Crypto + Fetch + Throttle>(
        self,
        app: &AppContext<'_, S, L, C>,
        call: &Call<'_>,
        audit: &mut AuditEntry,
    ) -> Result<Authorized, Problem> {
        let Some(public) = &app.settings.public else { return self.authorize(app, call, Some(audit)).await };
        let has_token = self.parameters.iter().any(|(name, _)| name == "access_token");
        if has_token || call.header("Authorization").is_some() {
            let authorized = self.authorize(app, call, Some(audit)).await?;
            return Ok(Authorized { grant: Rc::new(public.added_to(&authorized.grant)), ..authorized });
        }
        // A network is counted as a client is, since most requests of an app come from one.
        if !app.tokens.rates.admit(app.crypto, &call.network(), call.moment.seconds()).await {
            return Err(Problem::TooManyRequests { wait: WAIT });
        }
        let Self { parameters, body } = self;
        body.map(|()| Authorized { parameters, grant: Rc::new(public.grant()), is_public: true })
    }
}

impl Authorized {
    /// Returns the parameters of the request.
    pub const fn parameters(&self) -> &FormPairs {
        &self.parameters
    }

    /// Returns whether the request has no token, and reads what is open to everybody.
    pub const fn is_public(&self) -> bool {
        self.is_public
    }

    /// Returns the grant of the token.
    pub fn grant(&self) -> &Grant {
        &self.grant
    }

    /// Returns the context in which the request is answered. It does not depend on the format of the answer.
    pub fn context<'a>(&'a self, settings: &'a Settings, call: &'a Call<'_>) -> QueryContext<'a> {
        QueryContext {
            base: &settings.base,
            index: settings.index,
            cursors: &settings.cursors,
            grant: &self.grant,
            prefer: handling(call.header("Prefer").as_deref()),
            moment: &call.moment,
            most: MAX_COUNT,
        }
    }

    /// Checks that the grant is of a client that acts for itself, that its scopes permit `what`, and that it is active.
    ///
    /// # Errors
    /// If one of these conditions is not met, or the status is unknown. The refusal names `scope`.
    pub async fn activate<S: Store>(
        self,
        store: &S,
        permits: impl FnOnce(&ScopeSet) -> bool,
        (what, scope): (&'static str, &'static str),
    ) -> Result<Active, Problem> {
        // This server does not issue such a grant for a user, but other issuers may.
        if !permits(&self.grant.scopes) || self.grant.user.is_some() {
            return Err(Problem::MayNot { what, scope });
        }
        store.check(self.grant.authorization().as_ref()).await?;
        Ok(Active(self))
    }
}

/// Verifies a token for a resource, of this server or, if there are trusted issuers, of one of them.
async fn verify_token<S, L, C: Crypto + Fetch>(
    app: &AppContext<'_, S, L, C>,
    token: &str,
    resource: Resource,
    now: i64,
) -> Result<Verified, Problem> {
    let Settings { issuer, base, trusted, .. } = app.settings;
    let audience = resource.audience(issuer, base);
    if trusted.is_empty() {
        let keys = (app.keys, app.crypto);
        return UnverifiedToken::new(token).verify(keys, now, issuer, &audience).await.map_err(Problem::Token);
    }
    let audience = (resource == Resource::Mcp).then_some(audience.as_str());
    let verified = verify_trusted(token, trusted, (base, audience), (app.crypto, app.documents), now).await;
    verified.map_err(|fault| match fault {
        TrustFault::Token(fault) => Problem::Token(fault),
        TrustFault::Issuer(why) => Problem::Storage(why),
    })
}

/// Returns the grant of the token in the `Authorization` header.
async fn grant_of<S, L, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    parameters: &FormPairs,
    resource: Resource,
) -> Result<Rc<Grant>, Problem> {
    let header = call.header("Authorization");
    if parameters.iter().any(|(name, _)| name == "access_token") {
        // Tokens in addresses end up in logs (RFC 9700, section 4.3.2).
        let text = "An access token belongs in the Authorization header, not in the address or the body.";
        return Err(match header {
            Some(_) => Problem::from(Issue::error(IssueCode::Structure, text).about("access_token")),
            None => Problem::NoToken,
        });
    }
    let header = header.ok_or(Problem::NoToken)?;
    let (token, now) = (bearer(&header)?, call.moment.seconds());
    match app.tokens.known(token, resource, app.documents, now) {
        Some(known) => {
            let grant = known.map_err(Problem::Token)?;
            let is_admitted = app.tokens.rates.admit(app.crypto, &grant.client, now).await;
            if is_admitted { Ok(grant) } else { Err(Problem::TooManyRequests { wait: WAIT }) }
        }
        None if !is_legal(token) => Err(Problem::Token(TokenFault::Invalid("it is not of the form of a token"))),
        None if !is_admitted(app.crypto, Limit::Network, &call.network()).await => {
            Err(Problem::TooManyRequests { wait: WAIT })
        }
        None => Ok(app.tokens.add(token, resource, &verify_token(app, token, resource, now).await?, now)),
    }
}

/// Returns the token of a `Bearer` header, after at least one blank (RFC 9110, section 11.4). Refuses other schemes.
fn bearer(header: &str) -> Result<&str, Problem> {
    let (scheme, token) = header.split_once(' ').unwrap_or((header, ""));
    if scheme.eq_ignore_ascii_case("bearer") { Ok(token.trim_start_matches(' ')) } else { Err(Problem::NoToken) }
}

/// Returns whether the text is a `b64token` (RFC 6750, section 2.1).
fn is_legal(token: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
    !token.is_empty() && token.bytes().all(legal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bearer_header_holds_one_token_and_nothing_else() {
        assert_eq!(bearer("Bearer abc.d-_"), Ok("abc.d-_"));
        assert!(is_legal("abc.d-_"));
        for form in ["bearer abc", "Bearer  abc"] {
            assert_eq!(bearer(form), Ok("abc"));
        }
        for none in ["", "Basic YTpi", "abc", "Bearerabc"] {
            assert_eq!(bearer(none), Err(Problem::NoToken), "{none}");
        }
        for bad in [
            "Bearer",
            "Bearer ",
            "Bearer a b",
            "Bearer a,",
            "Bearer \"a\"",
            "Bearer a\tb",
            "Bearer a, Bearer b",
            "Bearer é",
        ] {
            assert!(bearer(bad).is_ok_and(|token| !is_legal(token)), "{bad}");
        }
    }
}
