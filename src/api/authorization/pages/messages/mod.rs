//! The texts of the pages, with a file for each language. Placeholders in a text are filled with values, which are
//! escaped unless they are markup.

use maud::{Markup, PreEscaped, Render, html};

use super::groups::Group;
use crate::http::call::Call;
use crate::http::negotiate;
use fhir::Language;

/// The texts of one page: the table, in the language of the page.
#[derive(Debug, Clone, Copy)]
pub struct Messages {
    pub language: Language,
    /// True if the request, or the app whose request it belongs to, specifies the language (`ui_locales`). Otherwise
    /// `Accept-Language` determines it.
    pub is_requested: bool,
}

/// Writes a method for each text that [`fhir::texts`] defines. The method of a text with placeholders,
/// `name(placeholder) = …`, has a parameter for each placeholder, which is written as `{placeholder}` in the text.
macro_rules! messages {
    (
        $($name:ident $(($($placeholder:ident),+))? = $text:literal;)+
        $(|$choice:ident: $kind:ident| { $($variant:ident = $of_variant:literal;)+ })+
    ) => {
        fhir::texts! { $($name = $text;)+ $(|$choice: $kind| { $($variant = $of_variant;)+ })+ }

        impl Messages {
            $(messages!(@method $name $(($($placeholder),+))?);)+
            $(pub fn $choice(self, of: $kind) -> &'static str {
                (self.texts().$choice)(of)
            })+
        }

        /// The names of the texts, their placeholders, and the texts.
        #[cfg(test)]
        pub const TABLE: &[(&str, &[&str], fn(&Texts) -> &'static str)] = &[
            $((stringify!($name), &[$($(stringify!($placeholder)),+)?], |texts| texts.$name),)+
            $($((stringify!($variant), &[], |texts| (texts.$choice)($kind::$variant)),)+)+
        ];
    };
    (@method $name:ident) => {
        pub const fn $name(self) -> &'static str {
            self.texts().$name
        }
    };
    (@method $name:ident ($($placeholder:ident),+)) => {
        pub fn $name(self, $($placeholder: &dyn Render),+) -> Markup {
            fill(self.texts().$name, &[$((stringify!($placeholder), $placeholder)),+])
        }
    };
}

mod en;
mod es;

#[cfg(test)]
pub use en::TABLE;
pub use en::Texts;

impl Messages {
    /// Returns the texts in the language that an app `requested` or, without it, that `Accept-Language` prefers.
    pub fn new(requested: Option<Language>, call: &Call<'_>) -> Self {
        let language = requested.or_else(|| negotiate::language(&call.header("Accept-Language")?)).unwrap_or_default();
        Self { language, is_requested: requested.is_some() }
    }

    /// Returns the texts in the language of the page.
    const fn texts(self) -> &'static Texts {
        Texts::of(self.language)
    }

    /// Formats a FHIR date at its precision: `14 May 2019`, `May 2019`, `2019`. Any other text is returned unchanged.
    pub fn date(self, date: &str) -> String {
        let mut parts = date.split('-').map(PreEscaped);
        let (year, month, day) = (parts.next().unwrap_or(PreEscaped("")), parts.next(), parts.next());
        let named = |month: usize| self.months().split(' ').nth(month.checked_sub(1)?).map(PreEscaped);
        let month = month.map(|month| month.0.parse().ok().and_then(named));
        let day = day.map(|day| day.0.parse().ok().filter(|day: &u8| (1..=31).contains(day)));
        match (month, day) {
            (Some(Some(month)), Some(Some(day))) if parts.next().is_none() => self.day_of_month(&day, &month, &year).0,
            (Some(Some(month)), None) => self.month_of_year(&month, &year).0,
            _ => date.to_owned(),
        }
    }

    /// Formats the day of a time in seconds since 1970.
    pub fn day(self, seconds: i64) -> String {
        self.date(&chrono::DateTime::from_timestamp(seconds, 0).unwrap_or_default().date_naive().to_string())
    }

    /// Returns the date of birth, also in machine-readable form.
    pub fn birth(self, date: &str) -> Markup {
        html! { time datetime=(date) { (self.date(date)) } }
    }
}

fn fill(text: &str, values: &[(&str, &dyn Render)]) -> Markup {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        before.render_to(&mut filled);
        let (placeholder, after) = after.split_once('}').unwrap_or((after, ""));
        if let Some((_, value)) = values.iter().find(|(name, _)| *name == placeholder) {
            value.render_to(&mut filled);
        }
        rest = after;
    }
    rest.render_to(&mut filled);
    PreEscaped(filled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oauth::RequestFault;

    const ENGLISH: Messages = Messages { language: Language::English, is_requested: false };
    const SPANISH: Messages = Messages { language: Language::Spanish, is_requested: false };

    #[test]
    fn every_text_has_its_placeholders_in_each_language() {
        for (name, placeholders, text) in TABLE {
            let texts = Language::ALL.map(|language| text(Texts::of(language)));
            for text in texts {
                let mut found: Vec<_> = text.split('{').skip(1).map(|rest| rest.split('}').next().unwrap()).collect();
                let mut placeholders = placeholders.to_vec();
                found.sort_unstable();
                placeholders.sort_unstable();
                assert_eq!(found, placeholders, "{name}: {text}");
                assert!(!text.is_empty() && text.trim() == text && !text.contains("  "), "{name}: {text:?}");
            }
            let [english, spanish] = texts;
            assert_ne!(english, spanish, "{name}");
            assert_eq!(english.ends_with('.'), spanish.ends_with('.'), "{name}");
            assert_eq!(english.ends_with('?'), spanish.starts_with('¿') && spanish.ends_with('?'), "{name}");
        }
    }

    #[test]
    fn values_are_escaped_and_markup_is_not() {
        let bold = html! { strong { "a & b" } };
        assert_eq!(SPANISH.to_ask(&bold).0, "Para que <strong>a &amp; b</strong> pueda pedir registros médicos.");
        assert_eq!(SPANISH.allow_app(&"<b>\"{app}").0, "¿Permitir el acceso de &lt;b&gt;&quot;{app}?");
        assert_eq!(
            ENGLISH.fault(RequestFault::OtherToken),
            "The identity token is another app's (id_token_hint, client_id)."
        );
        assert_eq!(fill("a < b & {x}", &[("x", &1)]).0, "a &lt; b &amp; 1");
    }

    #[test]
    fn dates_are_written_by_language_and_with_their_precision() {
        for (date, english, spanish) in [
            ("2019-05-14", "14 May 2019", "14 de mayo de 2019"),
            ("1990-12-01", "1 Dec 1990", "1 de diciembre de 1990"),
            ("2019-05", "May 2019", "mayo de 2019"),
            ("2019", "2019", "2019"),
        ] {
            assert_eq!((ENGLISH.date(date).as_str(), SPANISH.date(date).as_str()), (english, spanish));
        }
        for odd in ["", "2019-13-01", "2019-00", "2019-05-32", "2019-05-00", "2019-05-14-1", "2019-x", "about 2019"] {
            assert_eq!(SPANISH.date(odd), odd);
        }
        assert_eq!(SPANISH.day(1_800_000_000), "15 de enero de 2027");
        assert_eq!(ENGLISH.birth("<2019").0, "<time datetime=\"&lt;2019\">&lt;2019</time>");
    }
}
