//! Device cookies: a browser in which a user has already signed in has its own allowance of wrong passwords, so that
//! guesses from elsewhere cannot lock out the user.
//!
//! A cookie is a random name and a MAC that binds it to the user. It is not stored, and it opens nothing: its holder
//! still needs the password. See OWASP, "Slow Down Online Guessing Attacks with Device Cookies".

use base64ct::{Base64UrlUnpadded, Encoding};

use crate::secret::{Pepper, same};

/// The life of a device cookie, in seconds: half a year after the last sign-in.
pub const DEVICE_LIFE: i64 = 180 * 24 * 3_600;
/// The most users who are remembered in one browser.
pub const MAX_DEVICES: usize = 4;
/// The length of the random part of a cookie, in characters of base64url: 126 bits.
const NAME: usize = 21;
/// The length of its MAC, in bytes.
const MAC: usize = 16;

/// Returns a device cookie for that user. Its length is 43 characters. `random` is a token of [`token_of`].
///
/// [`token_of`]: crate::secret::token_of
pub fn device_cookie(pepper: &Pepper, user: &str, random: &str) -> String {
    let name = random.get(..NAME).unwrap_or(random);
    let mac = pepper.mix("device", &format!("{name}\n{user}"));
    format!("{name}{}", Base64UrlUnpadded::encode_string(mac.get(..MAC).unwrap_or(&mac)))
}

/// Returns the cookie among these that was made for that user, if any.
pub fn device_of<'a>(pepper: &Pepper, user: &str, cookies: &'a [String]) -> Option<&'a str> {
    cookies.iter().find(|cookie| same(&device_cookie(pepper, user, cookie), cookie)).map(String::as_str)
}

/// Returns the cookies that a browser keeps after a sign-in: first the user's own, then those of others, at most four.
pub fn kept_devices(own: &str, all: &[String]) -> String {
    let others = all.iter().map(String::as_str).filter(|other| *other != own);
    std::iter::once(own).chain(others).take(MAX_DEVICES).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::token_of;

    #[test]
    fn a_device_cookie_is_of_one_user_and_one_server() {
        let pepper = Pepper::new(b"p");
        let cookie = device_cookie(&pepper, "ada", &token_of(&[7; 32], "device"));
        assert_eq!(cookie.len(), 43);
        let all = ["x".repeat(43), cookie.clone()];
        assert_eq!(device_of(&pepper, "ada", &all), Some(cookie.as_str()));
        assert_eq!(device_of(&pepper, "adb", &all), None);
        assert_eq!(device_of(&Pepper::new(b"q"), "ada", &all), None);
        let changed = cookie.get(..42).unwrap().to_owned() + if cookie.ends_with('A') { "Q" } else { "A" };
        assert_eq!(device_of(&pepper, "ada", &[changed]), None);
        for odd in ["", "é", &"é".repeat(21)] {
            assert_eq!(device_of(&pepper, "ada", &[odd.to_owned()]), None);
        }
    }

    #[test]
    fn a_browser_is_remembered_for_its_last_four_users() {
        let of = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(kept_devices("e", &of(&["a", "b", "c", "d"])), "e.a.b.c");
        assert_eq!(kept_devices("b", &of(&["a", "b"])), "b.a");
    }
}
