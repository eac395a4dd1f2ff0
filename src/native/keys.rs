//! The secrets of a server: the keys that sign tokens, and the pepper of passwords and keyed hashes.

use std::io::Write;
use std::path::Path;

use base64ct::{Base64UrlUnpadded, Encoding};
use jwt_compact::jwk::JsonWebKey;
use p256::ecdsa::SigningKey;
use rsa::traits::{PrivateKeyParts, PublicKeyParts};
use rsa::{BigUint, RsaPrivateKey};
use serde_json::{Value, json};

use super::access::random;
use super::{Failure, private};
use oauth::{SANDBOX_MARK, token_of};

/// The names of the secrets that a server needs.
pub const SECRETS: [&str; 3] = ["SIGN_ES256_CURRENT", "SIGN_RS256_CURRENT", "PEPPER"];
/// The prefixes of the names of signing keys. The key `_CURRENT` signs. Two others are also accepted: `_NEXT` before it
/// signs, and `_OLD` after it has signed.
const SIGNING: [&str; 2] = ["SIGN_ES256", "SIGN_RS256"];
/// The name under which a file of secrets has the time of the last rotation step, in seconds since 1970.
const ROTATED_AT: &str = "ROTATED_AT";
/// The seconds for which others may cache a key set.
const KEY_SET_LIFE: i64 = 300;
/// The longest lifetime of a token that a signing key has signed, in seconds.
const TOKEN_LIFE: i64 = 3_600;
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

/// Makes the new secrets of a server, as lines of a `.dev.vars` file. Secrets that `known` has are left out.
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

/// A step of the rotation of signing keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rotation {
    /// Makes the next keys, which are published but do not sign yet.
    Next,
    /// Lets the next keys sign. The previous keys are still accepted.
    Swap,
    /// Removes the previous keys.
    End,
}

/// Returns the contents of a file of secrets after a step of a rotation. A repeated step only changes the time from
/// which the wait for the next step is counted. `now` is in seconds since 1970.
///
/// # Errors
/// If the step is not due: cached key sets, or tokens that the previous keys signed, are still valid.
pub fn rotated(step: Rotation, usage: Use, text: &str, now: i64) -> Result<String, Failure> {
    let refuse = |reason: &str| Err(Failure(reason.to_owned()));
    let has = |suffix: &str| SIGNING.iter().all(|name| value_in(text, &format!("{name}_{suffix}")).is_some());
    if !has("CURRENT") {
        return refuse("the file has no signing keys");
    }
    let waited = |least: i64| -> Result<(), Failure> {
        let since = value_in(text, ROTATED_AT).map_or(Ok(0), |time| time.parse());
        let since: i64 = since.map_err(|_| Failure(format!("{ROTATED_AT} has no time")))?;
        let left = since + least - now;
        if left > 0 { Err(Failure(format!("the previous step is too recent: wait {left} seconds"))) } else { Ok(()) }
    };
    let mut lines = text.to_owned();
    match step {
        Rotation::Next if has("OLD") => return refuse("the last rotation has not ended: first end it"),
        Rotation::Next if has("NEXT") => {}
        Rotation::Next => {
            set(&mut lines, "SIGN_ES256_NEXT", Some(&marked(usage, es256()?)));
            set(&mut lines, "SIGN_RS256_NEXT", Some(&marked(usage, rs256()?)));
        }
        Rotation::Swap if has("NEXT") => {
            waited(KEY_SET_LIFE)?;
            for name in SIGNING {
                set(&mut lines, &format!("{name}_OLD"), value_in(text, &format!("{name}_CURRENT")).as_deref());
                set(&mut lines, &format!("{name}_CURRENT"), value_in(text, &format!("{name}_NEXT")).as_deref());
                set(&mut lines, &format!("{name}_NEXT"), None);
            }
        }
        Rotation::Swap if has("OLD") => {}
        Rotation::Swap => return refuse("there are no next keys: first make them"),
        Rotation::End if has("NEXT") => return refuse("the next keys do not sign yet: first swap"),
        Rotation::End => {
            if has("OLD") {
                waited(TOKEN_LIFE)?;
            }
            SIGNING.iter().for_each(|name| set(&mut lines, &format!("{name}_OLD"), None));
        }
    }
    set(&mut lines, ROTATED_AT, Some(&now.to_string()));
    Ok(lines)
}

/// Returns the secrets of a file as JSON for `wrangler secret bulk`: all secrets that a server needs, or only the
/// signing keys. With only the signing keys, missing keys other than the current ones are null, which deletes them.
///
/// # Errors
/// If the file lacks a secret.
pub fn bulk(text: &str, signing_only: bool) -> Result<String, Failure> {
    let mut members = serde_json::Map::new();
    for name in SECRETS.into_iter().filter(|name| !signing_only || *name != "PEPPER") {
        let value = value_in(text, name).ok_or_else(|| Failure(format!("the file has no {name}")))?;
        members.insert(name.to_owned(), value.into());
    }
    for name in SIGNING.into_iter().flat_map(|name| [format!("{name}_NEXT"), format!("{name}_OLD")]) {
        let value = value_in(text, &name);
        if value.is_some() || signing_only {
            members.insert(name, value.map_or(Value::Null, Value::from));
        }
    }
    Ok(Value::from(members).to_string())
}

/// Replaces the line of a name in the text of a file of secrets, or removes it.
fn set(text: &mut String, name: &str, value: Option<&str>) {
    let of_name = |line: &&str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with('='));
    let mut lines: String = text.lines().filter(|line| !of_name(line)).map(|line| format!("{line}\n")).collect();
    if let Some(value) = value {
        lines.push_str(&format!("{name}='{value}'\n"));
    }
    *text = lines;
}

/// Writes a file of secrets, which only its owner may read. An interrupted write leaves the previous file unchanged.
///
/// # Errors
/// If the file cannot be written.
pub fn write_secrets(file: &Path, text: &str) -> Result<(), Failure> {
    let doing = || Failure::doing(format!("writing {}", file.display()));
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let new = file.with_file_name(name);
    // A file that was left by an interrupted write may be readable by others.
    drop(std::fs::remove_file(&new));
    let mut written = private::create_new(&new).map_err(doing())?;
    written.write_all(text.as_bytes()).and_then(|()| written.sync_all()).map_err(doing())?;
    std::fs::rename(&new, file).map_err(doing())
}

/// Returns the key as text. A sandbox key is marked.
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

/// Returns the value of a name in a `.dev.vars` file.
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
    use oauth::SigningKeys;

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
    #[test]
    fn keys_rotate_in_three_steps_and_each_may_be_repeated() {
        let kids = |text: &str| -> Vec<String> {
            ["CURRENT", "NEXT", "OLD"]
                .iter()
                .map(|suffix| value_in(text, &format!("SIGN_ES256_{suffix}")).unwrap_or_default())
                .collect()
        };
        let step = |step, text: &str, now| rotated(step, Use::Production, text, now);
        let first = new_secrets(Use::Production, "").unwrap();
        let [one, ..] = &kids(&first)[..] else { panic!() };
        assert!(step(Rotation::Swap, &first, 1_000).is_err(), "there is nothing to swap");
        assert!(step(Rotation::Next, "PEPPER='mine'\n", 1_000).is_err(), "there is nothing to rotate");

        let next = step(Rotation::Next, &first, 1_000).unwrap();
        let [current, two, old] = &kids(&next)[..] else { panic!() };
        assert_eq!((current, old.as_str()), (one, ""));
        assert!(!two.is_empty() && two != one);
        assert_eq!(kids(&step(Rotation::Next, &next, 1_001).unwrap()), kids(&next), "made once");
        let sent: Value = serde_json::from_str(&bulk(&next, true).unwrap()).unwrap();
        assert_eq!(
            (&sent["SIGN_ES256_CURRENT"], &sent["SIGN_ES256_NEXT"]),
            (&one.as_str().into(), &two.as_str().into())
        );
        assert!(sent.get("PEPPER").is_none());

        assert!(step(Rotation::Swap, &next, 1_299).is_err(), "others have the key set of before");
        assert!(step(Rotation::End, &next, 9_000).is_err(), "the next keys would be lost");
        let swapped = step(Rotation::Swap, &next, 1_300).unwrap();
        assert_eq!(kids(&swapped), [two.clone(), String::new(), one.clone()]);
        assert_eq!(kids(&step(Rotation::Swap, &swapped, 1_301).unwrap()), kids(&swapped), "not swapped back");
        assert!(step(Rotation::Next, &swapped, 1_301).is_err(), "old tokens would end");
        let sent: Value = serde_json::from_str(&bulk(&swapped, true).unwrap()).unwrap();
        assert_eq!(
            (&sent["SIGN_ES256_CURRENT"], &sent["SIGN_ES256_OLD"], &sent["SIGN_ES256_NEXT"]),
            (&two.as_str().into(), &one.as_str().into(), &Value::Null)
        );

        assert!(step(Rotation::End, &swapped, 4_899).is_err(), "tokens of the old key live");
        let ended = step(Rotation::End, &swapped, 4_900).unwrap();
        assert_eq!(kids(&ended), [two.clone(), String::new(), String::new()]);
        assert_eq!(kids(&step(Rotation::End, &ended, 4_901).unwrap()), kids(&ended));
        let sent: Value = serde_json::from_str(&bulk(&ended, true).unwrap()).unwrap();
        for name in ["SIGN_ES256_NEXT", "SIGN_RS256_NEXT", "SIGN_ES256_OLD", "SIGN_RS256_OLD"] {
            assert_eq!(sent.get(name), Some(&Value::Null), "{name} is deleted at the server");
        }
        let all: Value = serde_json::from_str(&bulk(&ended, false).unwrap()).unwrap();
        let names: Vec<_> = all.as_object().unwrap().keys().collect();
        assert_eq!(names, SECRETS.iter().collect::<Vec<_>>());
        assert_eq!(value_in(&ended, "PEPPER"), value_in(&first, "PEPPER"));
    }

    #[test]
    #[cfg(unix)]
    fn a_file_of_secrets_can_be_read_by_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt;
        let file = std::env::temp_dir().join(format!("edgechart-secrets-{}", std::process::id()));
        std::fs::write(&file, "PEPPER='of before'\n").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
        write_secrets(&file, "PEPPER='x'\n").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "PEPPER='x'\n");
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::remove_file(&file).unwrap();
    }
}
