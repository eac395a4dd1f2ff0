//! Password hashes: peppered, salted and stretched (PBKDF2-HMAC-SHA256, RFC 8018).

use base64ct::{Base64UrlUnpadded, Encoding};

use super::crypto::{Crypto, CryptoError};
use super::secret::{Pepper, same};

/// Rounds of stretching: as many as Cloudflare's runtime takes.
pub const ROUNDS: u32 = 100_000;
/// The name of the form that passwords are kept in: `<name>$<rounds>$<salt>$<stretched>`.
const FORM: &str = "pbkdf2-sha256";

/// What is stretched in the place of a password: of one length, and worth nothing to who has only the database.
#[must_use]
pub fn peppered(pepper: &Pepper, password: &str) -> [u8; 32] {
    pepper.mix("password", password)
}

/// A stretched password as it is kept.
#[must_use]
pub fn kept(rounds: u32, salt: &[u8], stretched: &[u8; 32]) -> String {
    let text = |bytes| Base64UrlUnpadded::encode_string(bytes);
    format!("{FORM}${rounds}${}${}", text(salt), text(stretched))
}

/// A stretched password as it is kept, taken apart.
#[derive(Debug)]
pub struct StoredPassword<'a> {
    /// How often it was stretched.
    pub rounds: u32,
    /// Its salt.
    pub salt: Vec<u8>,
    stretched: &'a str,
}

impl<'a> StoredPassword<'a> {
    /// Takes it apart, if it is of the form of [`kept()`].
    #[must_use]
    pub fn read(stored: &'a str) -> Option<Self> {
        let mut parts = stored.split('$');
        let (Some(FORM), Some(rounds), Some(salt), Some(stretched), None) =
            (parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return None;
        };
        Some(Self { rounds: rounds.parse().ok()?, salt: Base64UrlUnpadded::decode_vec(salt).ok()?, stretched })
    }

    /// Returns whether a password that was stretched so often, with that salt, is the same.
    #[must_use]
    pub fn is(&self, stretched: &[u8; 32]) -> bool {
        same(&Base64UrlUnpadded::encode_string(stretched), self.stretched)
    }
}

/// Returns whether a password is the one that is kept. Where none is kept it takes as long to say no.
///
/// # Errors
/// If the platform does not answer, or what is kept is of another form.
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
