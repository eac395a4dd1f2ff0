//! Folding: strings compare without regard to case, accents, runs of white space and the spelling of hyphens and
//! apostrophes, from the beginning of a word (docs/decisions/search.md#strings).

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// Returns the text in the form that searches compare. Characters are decomposed (NFD), stripped of combining marks,
/// and lower-cased by full case folding, so that `ß` becomes `ss`. A run of white space, hyphens and dashes becomes one
/// space, or none at either end. Apostrophes of all kinds become `'`. Invisible characters are removed.
///
/// ```
/// assert_eq!(search::fold("Zoë O’Brien-NUÑEZ"), "zoe o'brien nunez");
/// ```
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut is_behind_space = false;
    let mut add = |c: char| add(&mut folded, &mut is_behind_space, c);
    for c in text.chars() {
        // Most characters are ASCII and need no tables.
        if c.is_ascii() {
            add(c.to_ascii_lowercase());
            continue;
        }
        decompose_canonical(c, |c| {
            for c in c.to_lowercase() {
                match small_letters(c) {
                    Some(letters) => letters.chars().for_each(&mut add),
                    None => add(c),
                }
            }
        });
    }
    folded
}

/// Returns the letters that a small letter is folded to, if it is not itself: such a letter shares its capitals with
/// other letters (<https://www.unicode.org/Public/UCD/latest/ucd/CaseFolding.txt>).
const fn small_letters(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'ı' => "i",
        'ſ' => "s",
        'ŉ' => "'n",
        'ẚ' => "aʾ",
        'ﬀ' => "ff",
        'ﬁ' => "fi",
        'ﬂ' => "fl",
        'ﬃ' => "ffi",
        'ﬄ' => "ffl",
        'ﬅ' | 'ﬆ' => "st",
        'ς' => "σ",
        'ϐ' => "β",
        'ϑ' => "θ",
        'ϕ' => "φ",
        'ϖ' => "π",
        'ϰ' => "κ",
        'ϱ' => "ρ",
        'ϵ' => "ε",
        'µ' => "μ",
        // The iota subscript.
        '\u{345}' => "ι",
        'ᲀ' => "в",
        'ᲁ' => "д",
        'ᲂ' => "о",
        'ᲃ' => "с",
        'ᲄ' | 'ᲅ' => "т",
        'ᲆ' => "ъ",
        'ᲇ' => "ѣ",
        'ᲈ' => "ꙋ",
        'և' => "եւ",
        'ﬓ' => "մն",
        'ﬔ' => "մե",
        'ﬕ' => "մի",
        'ﬖ' => "վն",
        'ﬗ' => "մխ",
        _ => return None,
    })
}

/// Adds a small letter or another character.
fn add(folded: &mut String, is_behind_space: &mut bool, c: char) {
    match Spelling::of(c) {
        Spelling::Nothing => {}
        Spelling::Space => *is_behind_space = !folded.is_empty(),
        Spelling::Apostrophe => push(folded, is_behind_space, '\''),
        Spelling::Itself => push(folded, is_behind_space, c),
    }
}

/// Adds a character, preceded by a pending space.
fn push(folded: &mut String, is_behind_space: &mut bool, c: char) {
    if std::mem::take(is_behind_space) {
        folded.push(' ');
    }
    folded.push(c);
}

/// The role of a character in a folded text.
enum Spelling {
    /// A combining mark or an invisible character: a soft hyphen, a joiner, a mark of direction.
    Nothing,
    /// White space, a hyphen or a dash.
    Space,
    /// An apostrophe, or a quotation mark or accent that is typed instead of one.
    Apostrophe,
    /// Any other character.
    Itself,
}

impl Spelling {
    fn of(c: char) -> Self {
        match c {
            'a'..='z' | '0'..='9' => Self::Itself,
            // Dash_Punctuation, and the minus sign.
            '-' | '\u{58a}' | '\u{5be}' | '\u{1400}' | '\u{1806}' | '\u{2010}'..='\u{2015}' => Self::Space,
            '\u{2212}' | '\u{2e17}' | '\u{2e1a}' | '\u{2e3a}' | '\u{2e3b}' | '\u{2e40}' | '\u{2e5d}' => Self::Space,
            '\u{301c}' | '\u{3030}' | '\u{30a0}' | '\u{fe31}' | '\u{fe32}' | '\u{fe58}' => Self::Space,
            '\u{fe63}' | '\u{ff0d}' | '\u{10ead}' => Self::Space,
            '\'' | '`' | '\u{b4}' | '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{ff07}' => Self::Apostrophe,
            '\u{2b9}' | '\u{2bb}'..='\u{2bd}' | '\u{2c8}' | '\u{55a}' => Self::Apostrophe,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' => Self::Nothing,
            '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => Self::Nothing,
            _ if c.is_whitespace() => Self::Space,
            _ if !c.is_ascii() && is_combining_mark(c) => Self::Nothing,
            _ => Self::Itself,
        }
    }
}

/// Returns the tails of a folded text at which a word begins: the whole text, and each tail after a character that is
/// neither a letter nor a digit.
pub fn word_starts(folded: &str) -> impl Iterator<Item = &str> {
    let after_break = folded.char_indices().filter(|(_, c)| !c.is_alphanumeric()).map(|(at, c)| at + c.len_utf8());
    std::iter::once(0).chain(after_break).filter_map(|at| folded.get(at..)).filter(|tail| !tail.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_removes_case_and_accents() {
        for (text, folded) in [
            ("PÁEZ", "paez"),
            ("Agustín529", "agustin529"),
            ("du Marché", "du marche"),
            ("e\u{301}", "e"),
            ("İ", "i"),
            ("ΟΔΟΣ ὁδός", "οδοσ οδοσ"),
            ("Casestraße CASESTRASSE CASESTRAẞE", "casestrasse casestrasse casestrasse"),
            ("ﬁne ﬂow oﬀice Straﬅe", "fine flow office straste"),
            ("ŉ և ǅ ᾳ ΑΙ", "'n եւ ǆ αι αι"),
        ] {
            assert_eq!(fold(text), folded);
        }
    }

    #[test]
    fn folding_keeps_one_spelling_of_spaces_hyphens_and_apostrophes() {
        for text in
            ["Case Lloyd", "Case-Lloyd", "case\u{2011}lloyd", " Case \u{2013}\u{a0}Lloyd ", "case\t\n\u{3000}lloyd"]
        {
            assert_eq!(fold(text), "case lloyd", "{text:?}");
        }
        let all = "O'Casey O’Casey O‘Casey Oʼcasey O`Casey O´Casey O\u{2032}CASEY O\u{200b}'Ca\u{ad}sey";
        for text in all.split(' ') {
            assert_eq!(fold(text), "o'casey", "{text:?}");
        }
        assert_eq!(fold(" - \u{301}"), "");
    }

    #[test]
    fn a_character_its_capital_and_its_small_letter_fold_to_one_text_that_is_folded() {
        for c in '\0'..=char::MAX {
            let folded = fold(&c.to_string());
            assert_eq!(fold(&folded), folded, "{c:?}");
            for other in [c.to_uppercase().to_string(), c.to_lowercase().to_string()] {
                assert_eq!(fold(&other), folded, "{c:?} and {other:?}");
            }
        }
    }

    #[test]
    fn words_begin_after_anything_that_is_neither_letter_nor_digit() {
        let tails = |text| word_starts(text).collect::<Vec<_>>();
        assert_eq!(tails("o'brien-nunez"), ["o'brien-nunez", "brien-nunez", "nunez"]);
        assert_eq!(tails("van den broek"), ["van den broek", "den broek", "broek"]);
        assert_eq!(tails("a. "), ["a. ", " "]);
        assert_eq!(tails(""), Vec::<&str>::new());
    }
}
