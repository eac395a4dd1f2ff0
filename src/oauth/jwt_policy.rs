//! The policies for reading JWTs, with one row for each kind of token: type, algorithms, length and times (RFC 8725).
//! `access_token.rs` reads our own access tokens, `trusted.rs` those of other issuers, `assertion.rs` client
//! assertions; `token_explanation.rs` explains a token by the same rows.

use super::crypto::Algorithm;
use smart::ScopeSet;

/// The rules for reading one kind of JWT.
#[derive(Debug)]
pub struct JwtPolicy {
    /// The allowed values of `typ`, compared without case.
    pub types: &'static [&'static str],
    /// True if `typ` is required.
    pub needs_type: bool,
    /// The allowed signature algorithms.
    pub algorithms: &'static [Algorithm],
    /// The maximum length, in bytes.
    pub longest: usize,
    /// The allowed lead of `nbf` and `iat`, in seconds, since the clock of the issuer may be fast.
    pub early: i64,
    /// The allowed lag of `exp`, in seconds.
    pub late: i64,
}

/// Access tokens of this server (RFC 9068). Most are shorter than a thousand bytes; the limit allows for all scopes.
pub const ACCESS_TOKEN: JwtPolicy = JwtPolicy {
    types: &["at+jwt"],
    needs_type: true,
    algorithms: &[Algorithm::Es256],
    longest: ScopeSet::MAX_LENGTH / 3 * 4 + 4 * 1024,
    early: 5,
    late: 0,
};

/// Access tokens of trusted issuers. Not all of them have the type of RFC 9068.
pub const TRUSTED_ACCESS_TOKEN: JwtPolicy = JwtPolicy {
    types: &["at+jwt", "JWT", "application/at+jwt", "application/JWT"],
    needs_type: false,
    algorithms: &[Algorithm::Es256, Algorithm::Rs256, Algorithm::Rs384, Algorithm::Es384],
    longest: 8 * 1024,
    early: 5,
    late: 0,
};

/// Identity tokens of this server, as `id_token_hint` of a sign-out (OpenID Connect Core 1.0, section 2). They may have
/// expired.
pub const ID_TOKEN: JwtPolicy = JwtPolicy {
    types: &["JWT"],
    needs_type: false,
    algorithms: &[Algorithm::Rs256],
    longest: 6 * 1024,
    early: 5,
    late: 0,
};

/// Identity tokens of identity providers (OpenID Connect Core 1.0, section 3.1.3.7).
pub const PROVIDER_ID_TOKEN: JwtPolicy = JwtPolicy {
    algorithms: &[Algorithm::Rs256, Algorithm::Es256, Algorithm::Rs384, Algorithm::Es384],
    longest: 16 * 1024,
    early: 30,
    late: 0,
    ..ID_TOKEN
};

/// Identity tokens of any issuer, for [`super::checks()`].
pub const EXPLAINED_ID_TOKEN: JwtPolicy =
    JwtPolicy { algorithms: &[Algorithm::Rs256, Algorithm::Es256], longest: 64 * 1024, ..ID_TOKEN };

/// Client assertions (RFC 7523; SMART App Launch, "Client authentication: asymmetric").
pub const CLIENT_ASSERTION: JwtPolicy = JwtPolicy {
    types: &["JWT", "client-authentication+jwt"],
    needs_type: false,
    algorithms: &[Algorithm::Rs384, Algorithm::Es384],
    longest: 6 * 1024,
    early: 30,
    late: 30,
};

impl JwtPolicy {
    /// Returns whether a token may have this `typ`.
    #[must_use]
    pub fn takes_type(&self, typ: Option<&str>) -> bool {
        typ.map_or(!self.needs_type, |typ| self.types.iter().any(|known| known.eq_ignore_ascii_case(typ)))
    }

    /// Returns whether a token is already valid according to its `nbf` and `iat`. A float represents every realistic
    /// second exactly, and comparisons with NaN are false.
    pub fn has_begun(&self, times: impl IntoIterator<Item = f64>, now: i64) -> bool {
        times.into_iter().all(|time| time <= now.saturating_add(self.early) as f64)
    }

    /// Returns whether a token has expired according to its `exp`.
    #[must_use]
    pub fn has_ended(&self, exp: f64, now: i64) -> bool {
        exp.is_nan() || exp <= now.saturating_sub(self.late) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_compared_without_case_and_may_be_required() {
        assert!(ACCESS_TOKEN.takes_type(Some("AT+JWT")));
        assert!(!ACCESS_TOKEN.takes_type(None) && !ACCESS_TOKEN.takes_type(Some("JWT")));
        assert!(TRUSTED_ACCESS_TOKEN.takes_type(None) && TRUSTED_ACCESS_TOKEN.takes_type(Some("application/at+jwt")));
        assert!(ID_TOKEN.takes_type(None) && !ID_TOKEN.takes_type(Some("at+jwt")));
    }

    #[test]
    fn times_are_compared_with_leeway() {
        assert!(ACCESS_TOKEN.has_begun([1_005.0], 1_000) && !ACCESS_TOKEN.has_begun([1_006.0], 1_000));
        assert!(ACCESS_TOKEN.has_ended(1_000.0, 1_000) && !ACCESS_TOKEN.has_ended(1_000.5, 1_000));
        assert!(!CLIENT_ASSERTION.has_ended(971.0, 1_000) && CLIENT_ASSERTION.has_ended(970.0, 1_000));
        assert!(!ACCESS_TOKEN.has_begun([f64::NAN], 1_000) && ACCESS_TOKEN.has_ended(f64::NAN, 1_000));
        assert!(!ACCESS_TOKEN.has_begun([f64::INFINITY], i64::MAX));
    }
}
