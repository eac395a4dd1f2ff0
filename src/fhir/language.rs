//! The languages in which the pages of the server and the app address people. Texts for programs, and the text of
//! records, are not translated (docs/decisions/permission-and-sign-in.md#language-of-the-sign-in).

use serde::Serialize;

/// Defines the languages, each with its tag (RFC 5646).
macro_rules! languages {
    ($($(#[$attribute:meta])* $language:ident $tag:literal;)+) => {
        /// A language of the pages.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
        pub enum Language {
            $($(#[$attribute])* #[doc = $tag] #[serde(rename = $tag)] $language,)+
        }

        impl Language {
            /// Every language.
            pub const ALL: [Self; Self::TAGS.len()] = [$(Self::$language),+];
            /// The tags of the languages, in the same order.
            pub const TAGS: &'static [&'static str] = &[$($tag),+];

            /// Returns the tag of the language.
            pub const fn tag(self) -> &'static str {
                match self {
                    $(Self::$language => $tag,)+
                }
            }

            /// Returns the table with the words of the resource types.
            pub(crate) const fn type_words(self) -> &'static str {
                match self {
                    $(Self::$language => include_str!(concat!("tables/type-words/", $tag, ".json")),)+
                }
            }
        }
    };
}

languages! {
    #[default]
    English "en";
    Spanish "es";
}

/// Defines the texts of a crate by those in English, as a struct. Each other language has a file of values. A text that
/// depends on a variant of an enum is a function.
#[macro_export]
macro_rules! texts {
    ($($name:ident = $text:literal;)* $(|$choice:ident: $kind:ident| { $($variant:ident = $of_variant:literal;)+ })*) => {
        /// The texts in one language.
        pub struct Texts {
            $(#[doc = $text] pub $name: &'static str,)*
            $(pub $choice: fn($kind) -> &'static str,)*
        }

        pub static TEXTS: Texts = Texts {
            $($name: $text,)*
            $($choice: |kind| match kind { $($kind::$variant => $of_variant,)+ },)*
        };

        impl Texts {
            pub const fn of(language: $crate::Language) -> &'static Self {
                match language {
                    $crate::Language::English => &TEXTS,
                    $crate::Language::Spanish => &es::TEXTS,
                }
            }
        }
    };
}

impl Language {
    /// Returns the language of a tag (RFC 5646). Its first part decides: `es`, `es-MX` and `ES` are Spanish.
    pub fn parse(tag: &str) -> Option<Self> {
        let is_part = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
        let first = tag.split('-').next().filter(|_| tag.split('-').all(is_part))?;
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(first))
    }

    /// Returns the first language of a list of tags, such as `ui_locales` (OpenID Connect Core 1.0, section 3.1.2.1).
    /// Unknown tags are ignored.
    pub fn first(tags: &str) -> Option<Self> {
        tags.split(' ').find_map(Self::parse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_part_of_a_tag_decides() {
        for tag in ["es", "ES", "es-MX", "Es-419", "es-Latn-US-x-private"] {
            assert_eq!(Language::parse(tag), Some(Language::Spanish), "{tag}");
        }
        for tag in ["en", "en-US", "EN-gb"] {
            assert_eq!(Language::parse(tag), Some(Language::English), "{tag}");
        }
        for tag in ["", "*", "e", "esp", "es-", "-es", "es_MX", "es--MX", "es-123456789", "fr", "éS", "es;q=1"] {
            assert_eq!(Language::parse(tag), None, "{tag}");
        }
    }

    #[test]
    fn the_first_supported_tag_of_a_list_counts() {
        assert_eq!(Language::first("fr  es-MX en"), Some(Language::Spanish));
        assert_eq!(Language::first("es_MX en-US es"), Some(Language::English));
        for none in ["", " ", "fr de", "es,en", "\u{0}es"] {
            assert_eq!(Language::first(none), None, "{none:?}");
        }
    }
}
