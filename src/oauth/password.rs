//! Password hashes: peppered, salted and stretched (PBKDF2-HMAC-SHA256, RFC 8018).

use base64ct::{Base64UrlUnpadded, Encoding};

use super::crypto::{Crypto, CryptoError};
use super::secret::{Pepper, same};

/// The number of rounds of PBKDF2: the maximum of Cloudflare's runtime.
pub const ROUNDS: u32 = 100_000;
/// The name of the stored form: `<name>$<rounds>$<salt>$<stretched>`.
const FORM: &str = "pbkdf2-sha256";

/// Mixes a password with the pepper. The result is stretched instead of the password, since it has a fixed length and
/// cannot be guessed from the database.
pub fn peppered(pepper: &Pepper, password: &str) -> [u8; 32] {
    pepper.mix("password", password)
}

/// Returns the stored form of a stretched password.
pub fn stored_form(rounds: u32, salt: &[u8], stretched: &[u8; 32]) -> String {
    let text = |bytes| Base64UrlUnpadded::encode_string(bytes);
    format!("{FORM}${rounds}${}${}", text(salt), text(stretched))
}

/// The parts of a stored password.
#[derive(Debug)]
pub struct StoredPassword<'a> {
    /// The number of rounds of PBKDF2.
    pub rounds: u32,
    /// The salt.
    pub salt: Vec<u8>,
    stretched: &'a str,
}

impl<'a> StoredPassword<'a> {
    /// Parses a stored password. Returns `None` if it does not have the form of [`stored_form`].
    pub fn read(stored: &'a str) -> Option<Self> {
        let mut parts = stored.split('$');
        let (Some(FORM), Some(rounds), Some(salt), Some(stretched), None) =
            (parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return None;
        };
        Some(Self { rounds: rounds.parse().ok()?, salt: Base64UrlUnpadded::decode_vec(salt).ok()?, stretched })
    }

    /// Returns whether a password, stretched with the same salt and rounds, equals the stored one.
    #[must_use]
    pub fn is(&self, stretched: &[u8; 32]) -> bool {
        same(&Base64UrlUnpadded::encode_string(stretched), self.stretched)
    }
}

/// Returns whether a password is the stored one. Without a stored password, the check fails but takes as long.
pub async fn matches<C: Crypto>(
    crypto: &C,
    pepper: &Pepper,
    stored: Option<&str>,
    password: &str,
) -> Result<bool, CryptoError> {
    let input = peppered(pepper, password);
    let Some(stored) = stored else {
        crypto.stretch(&input, &[0; 16], ROUNDS).await?;
        return Ok(false);
    };
    let kept =
        StoredPassword::read(stored).ok_or_else(|| CryptoError("a stored password is of another form".to_owned()))?;
    Ok(kept.is(&crypto.stretch(&input, &kept.salt, kept.rounds).await?))
}
