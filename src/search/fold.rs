//! Folding: strings compare without regard to case and accents, from the beginning of a word (decision 12).

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// The text without case and without accents: decomposed (NFD), its combining marks dropped, in lower case.
///
/// ```
/// assert_eq!(edgechart::search::fold("Zoë O'Brien-NUÑEZ"), "zoe o'brien-nunez");
/// ```
#[must_use]
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    let mut keep = |c: char| {
        if !is_combining_mark(c) {
            folded.push(c);
        }
    };
    // Lower case may add combining marks ("İ"), so they are dropped afterwards. Without any, they need no reordering.
    text.chars().flat_map(char::to_lowercase).for_each(|c| decompose_canonical(c, &mut keep));
    folded
}

/// The tails of a folded text that begin with a word: the whole text, and each tail after a character that is neither
/// letter nor digit.
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
            ("ß", "ß"),
        ] {
            assert_eq!(fold(text), folded);
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
