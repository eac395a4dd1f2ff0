//! PKCE (RFC 7636): only the party that began an exchange can complete it.

use crate::secret::{hashed, same};

/// Returns whether a text has the form of an S256 challenge: a SHA-256 hash in base64url.
#[must_use]
pub fn is_challenge(text: &str) -> bool {
    text.len() == 43 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// Returns whether the verifier matches the challenge. Without a challenge, there must not be a verifier either:
/// otherwise somebody may have removed the challenge from the request (RFC 9700, section 4.8).
#[must_use]
pub fn holds(challenge: Option<&str>, verifier: Option<&str>) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    match (challenge, verifier) {
        (None, None) => true,
        (Some(challenge), Some(verifier)) => {
            (43..=128).contains(&verifier.len()) && verifier.bytes().all(legal) && same(&hashed(verifier), challenge)
        }
        (None, Some(_)) | (Some(_), None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a9_only_the_verifier_of_the_challenge_matches() {
        // The example of RFC 7636, appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
        assert!(is_challenge(challenge) && holds(Some(challenge), Some(verifier)) && holds(None, None));
        let long = "a".repeat(129);
        for bad in ["", challenge, verifier.trim_start_matches('d'), &format!("{verifier}="), &long, "é"] {
            assert!(!holds(Some(challenge), Some(bad)), "{bad}");
        }
        assert!(!holds(Some(challenge), None) && !holds(None, Some(verifier)));
        let short = "a".repeat(42);
        assert!(!holds(Some(&hashed(&short)), Some(&short)) && !holds(Some(&hashed(&long)), Some(&long)));
    }

    #[test]
    fn a3_a_challenge_has_one_form() {
        let good = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
        for bad in [
            "",
            good.trim_start_matches('E'),
            &format!("{good}a"),
            &good.replace('M', "="),
            &good.replace('M', "+"),
            &"é".repeat(21),
        ] {
            assert!(!is_challenge(bad), "{bad}");
        }
    }
}
