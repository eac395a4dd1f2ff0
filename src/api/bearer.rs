//! The bearer token of a request (RFC 6750). It is verified unless the isolate has verified it before.

use std::rc::Rc;

use super::app_context::AppContext;
use super::call::Call;
use super::form::FormPairs;
use super::problem::Problem;
use super::settings::Settings;
use super::throttle::{Limit, Throttle, is_admitted};
use crate::fhir::{Issue, IssueCode};
use crate::oauth::{Crypto, Fetch, Presented, TokenFault, TrustFault, Verified, verify_trusted};
use crate::smart::Grant;

/// Verifies a token of this server, or of a trusted issuer if there are any.
async fn verify_token<S, L, C: Crypto + Fetch>(
    app: &AppContext<'_, S, L, C>,
    token: &str,
    now: i64,
) -> Result<Verified, Problem> {
    let Settings { issuer, base, trusted, .. } = app.settings;
    if trusted.is_empty() {
        return Presented::new(token).verify(app.keys, now, issuer, base).map_err(Problem::Token);
    }
    let verified = verify_trusted(token, trusted, base, (app.crypto, app.documents), now).await;
    verified.map_err(|fault| match fault {
        TrustFault::Token(fault) => Problem::Token(fault),
        TrustFault::Issuer(why) => Problem::Storage(why),
    })
}

/// The grant of the token in the `Authorization` header.
///
/// # Errors
/// If there is no token, if it is invalid, if the address or the form has one too, or if a rate limit is reached.
pub async fn grant_of<S, L, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    parameters: &FormPairs,
) -> Result<Rc<Grant>, Problem> {
    let header = call.header("Authorization");
    if parameters.iter().any(|(name, _)| name == "access_token") {
        // A token in an address ends up in logs (RFC 9700, section 4.3.2).
        let text = "An access token belongs in the Authorization header, not in the address or the body.";
        return Err(match header {
            Some(_) => Problem::Bad(vec![Issue::error(IssueCode::Structure, text).about("access_token")]),
            None => Problem::NoToken,
        });
    }
    let header = header.ok_or(Problem::NoToken)?;
    let (token, now) = (bearer(&header)?, call.moment.seconds());
    match app.tokens.known(token, app.documents, now) {
        Some(known) => {
            let grant = known.map_err(Problem::Token)?;
            let is_admitted = app.tokens.rates.admit(app.crypto, &grant.client, now).await;
            if is_admitted { Ok(grant) } else { Err(Problem::TooManyRequests) }
        }
        None if !is_legal(token) => Err(Problem::Token(TokenFault::Invalid("it is not of the form of a token"))),
        None if !is_admitted(app.crypto, Limit::Network, &call.network()).await => Err(Problem::TooManyRequests),
        None => Ok(app.tokens.learn(token, &verify_token(app, token, now).await?, now)),
    }
}

/// The token of a `Bearer` header, which one or more blanks precede (RFC 9110, section 11.4). Other schemes are
/// refused.
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
