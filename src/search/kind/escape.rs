//! The escapes of search values (<https://hl7.org/fhir/R4/search.html#escaping>): a backslash before `,`, `|`, `$` or
//! another backslash.

/// Splits at each `separator` that is not escaped by a backslash. The parts keep their escapes.
pub fn split(text: &str, separator: char) -> Vec<&str> {
    let mut escaped = false;
    text.split(move |c| {
        let here = c == separator && !escaped;
        escaped = c == '\\' && !escaped;
        here
    })
    .collect()
}

/// Removes the backslash from `\,` `\|` `\$` `\\`. Any other backslash stands for itself.
pub fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(next @ (',' | '|' | '$' | '\\')) if c == '\\' => {
                out.push(*next);
                chars.next();
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitting_respects_escapes() {
        assert_eq!(split(r"a,b\,c,,\\,d", ','), ["a", r"b\,c", "", r"\\", "d"]);
        assert_eq!(split("", ','), [""]);
        assert_eq!(unescape(r"a\b\"), r"a\b\");
    }
}
