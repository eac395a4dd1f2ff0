//! The secrets of a server: the keys that sign tokens, and the pepper of passwords and keyed hashes.

use std::path::Path;

use base64ct::{Base64UrlUnpadded, Encoding};
use jwt_compact::jwk::JsonWebKey;
use p256::ecdsa::SigningKey;
use rsa::traits::{PrivateKeyParts, PublicKeyParts};
use rsa::{BigUint, RsaPrivateKey};
use serde_json::{Value, json};

use super::Failure;
use super::access::random;
use crate::oauth::{SANDBOX_MARK, token_of};

/// The names of the secrets that a server needs.
pub const SECRETS: [&str; 3] = ["SIGN_ES256_CURRENT", "SIGN_RS256_CURRENT", "PEPPER"];
/// The length of RSA keys, in bits.
const RSA_BITS: usize = 2048;

/// The kind of server that secrets are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// A sandbox on this machine. The keys are marked, and a production server refuses them.
    Sandbox,
    /// A production server.
    Production,
}

/// New secrets for a server, as lines of a `.dev.vars` file. Secrets that `known` has are left out.
///
/// # Errors
/// If the operating system supplies no random bytes.
pub fn new_secrets(usage: Use, known: &str) -> Result<String, Failure> {
    let mut lines = String::new();
    for name in SECRETS.into_iter().filter(|name| value_in(known, name).is_none()) {
        let value = match name {
            "SIGN_ES256_CURRENT" => marked(usage, es256()?),
            "SIGN_RS256_CURRENT" => marked(usage, rs256()?),
            _ if usage == Use::Sandbox => format!("{SANDBOX_MARK}-{}", token_of(&random()?, "pepper")),
            _ => token_of(&random()?, "pepper"),
        };
        lines.push_str(&format!("{name}='{value}'\n"));
    }
    Ok(lines)
}

/// The key as text, marked for its use.
fn marked(usage: Use, mut key: Value) -> String {
    if let (Use::Sandbox, Some(members)) = (usage, key.as_object_mut()) {
        members.insert(SANDBOX_MARK.to_owned(), true.into());
    }
    key.to_string()
}

fn es256() -> Result<Value, Failure> {
    let key = SigningKey::from_slice(&random()?).map_err(Failure::doing("making a key"))?;
    serde_json::to_value(JsonWebKey::from(&key)).map_err(Failure::doing("writing a key"))
}

fn rs256() -> Result<Value, Failure> {
    let mut key = RsaPrivateKey::new(&mut rsa::rand_core::OsRng, RSA_BITS).map_err(Failure::doing("making a key"))?;
    key.precompute().map_err(Failure::doing("making a key"))?;
    let number = |number: &BigUint| Base64UrlUnpadded::encode_string(&number.to_bytes_be());
    let [p, q] = key.primes() else { return Err(Failure("the new RSA key has not two primes".to_owned())) };
    let parts = (key.dp(), key.dq(), key.crt_coefficient());
    let (Some(dp), Some(dq), Some(qi)) = parts else { return Err(Failure("the new RSA key is not whole".to_owned())) };
    Ok(json!({
        "kty": "RSA", "n": number(key.n()), "e": number(key.e()), "d": number(key.d()),
        "p": number(p), "q": number(q), "dp": number(dp), "dq": number(dq), "qi": number(&qi),
    }))
}

/// The value of a name in a `.dev.vars` file.
///
/// # Errors
/// If the file cannot be read, or does not have the name.
pub fn secret(path: &Path, name: &str) -> Result<String, Failure> {
    let text = std::fs::read_to_string(path).map_err(Failure::doing(format!("reading {}", path.display())))?;
    value_in(&text, name).ok_or_else(|| Failure(format!("{} has no {name}", path.display())))
}

fn value_in(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='))?;
    Some(line.trim_matches('\'').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oauth::SigningKeys;

    #[test]
    fn jw24_new_secrets_are_signing_keys_marked_for_their_use() {
        let text = new_secrets(Use::Sandbox, "PEPPER='mine'\n").unwrap();
        assert!(!text.contains("PEPPER"), "what is there already stays");
        let of = |name| value_in(&text, name).unwrap();
        let (ec, rsa) = (of("SIGN_ES256_CURRENT"), of("SIGN_RS256_CURRENT"));
        let keys = SigningKeys::new(&ec, &[]).unwrap().with_identity(&[&rsa]).unwrap();
        assert!(keys.identity().is_some());
        assert!([&ec, &rsa].into_iter().all(|key| key.contains(SANDBOX_MARK)));
        assert_eq!(new_secrets(Use::Sandbox, &format!("PEPPER='mine'\n{text}")).unwrap(), "");
        let members: Value = serde_json::from_str(&rsa).unwrap();
        for member in ["n", "e", "d", "p", "q", "dp", "dq", "qi"] {
            assert!(members[member].is_string(), "WebCrypto takes an RSA key with all its parts: {member}");
        }
    }
}
