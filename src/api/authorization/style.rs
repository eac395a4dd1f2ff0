//! The style of this server for apps: colours, sizes and typeface as JSON (SMART App Launch, "smart_style_url"). Its
//! values are those of the pages and of the app, which share the file `theme.css`. The address contains a hash of the
//! contents, so it changes with them.

use std::sync::OnceLock;

use serde_json::{Map, json};

use oauth::hashed;

const THEME: &str = include_str!("pages/theme.css");

/// The members that the specification names, each with the property of the theme that is its value.
const MEMBERS: [(&str, &str); 11] = [
    ("color_background", "paper"),
    ("color_error", "alert"),
    ("color_highlight", "accent"),
    ("color_modal_backdrop", "backdrop"),
    ("color_success", "good"),
    ("color_text", "ink"),
    ("dim_border_radius", "radius"),
    ("dim_font_size", "size-3"),
    ("dim_spacing_size", "spacing"),
    ("font_family_body", "text"),
    ("font_family_heading", "text"),
];

/// The number of characters of the hash in the address.
const DIGITS: usize = 22;

/// Returns the value of a property of the theme. If there are two colours, it is the one for light mode.
fn property(name: &str) -> &'static str {
    let declared = THEME.split_once(&format!("--{name}:")).map_or("", |(_, rest)| rest);
    let value = declared.split_once(';').map_or("", |(value, _)| value.trim());
    let light = value.strip_prefix("light-dark(").and_then(|colours| colours.split_once(", #"));
    light.map_or(value, |(light, _)| light)
}

fn document() -> &'static str {
    static DOCUMENT: OnceLock<String> = OnceLock::new();
    DOCUMENT.get_or_init(|| {
        let member = |(name, of): (&str, &str)| (name.to_owned(), json!(property(of)));
        json!(MEMBERS.into_iter().map(member).collect::<Map<_, _>>()).to_string()
    })
}

/// Returns the name of the document in its address, without the extension.
fn digest() -> String {
    hashed(document()).chars().take(DIGITS).map(|c| if c == '_' { '-' } else { c }).collect()
}

/// Returns the path of the document.
pub fn style_path() -> &'static str {
    static PATH: OnceLock<String> = OnceLock::new();
    PATH.get_or_init(|| format!("/oauth/style/{}.json", digest()))
}

/// Returns the document with that name. Documents of other versions of the server are unknown.
pub fn style_document(name: &str) -> Option<&'static str> {
    (name == digest()).then(document)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn the_style_has_every_member_of_the_specification() {
        let style: Value = serde_json::from_str(document()).unwrap();
        assert_eq!(style.as_object().unwrap().len(), MEMBERS.len());
        for (name, value) in style.as_object().unwrap() {
            let value = value.as_str().unwrap();
            assert!(!value.is_empty() && !value.contains("light-dark"), "{name}: {value}");
            assert_eq!(name.starts_with("color_"), value.starts_with(['#', 'r']), "{name}: {value}");
        }
        assert_eq!(style["color_text"], "#15201f");
        assert!(style["font_family_body"].as_str().unwrap().starts_with("Hyperlegible"));
    }

    #[test]
    fn its_address_says_which_contents_it_has() {
        let name = style_path().split('/').next_back().unwrap().trim_end_matches(".json").to_owned();
        assert_eq!((name.len(), style_document(&name)), (DIGITS, Some(document())));
        assert_eq!(style_document("other"), None);
    }
}
