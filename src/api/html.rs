//! HTML without injection. A template is a constant of this program, and texts in its placeholders are escaped. There
//! is no other way from a text to [`Html`].

/// A piece of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Html(String);

/// The value of a placeholder.
#[derive(Debug, Clone, Copy)]
pub enum HtmlPart<'a> {
    /// A text, which is escaped for an element or a quoted attribute.
    Text(&'a str),
    /// A piece of HTML, which is not escaped.
    Html(&'a Html),
}

impl<'a> From<&'a str> for HtmlPart<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for HtmlPart<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a Html> for HtmlPart<'a> {
    fn from(html: &'a Html) -> Self {
        Self::Html(html)
    }
}

impl Html {
    /// The empty piece.
    pub const NONE: Self = Self(String::new());

    /// Fills the placeholders `{}` of a template, in order.
    pub fn fill(template: &'static str, parts: &[HtmlPart<'_>]) -> Self {
        let mut html = String::with_capacity(template.len() + 64);
        let mut parts = parts.iter();
        for (at, piece) in template.split("{}").enumerate() {
            if at > 0 {
                match parts.next() {
                    Some(HtmlPart::Text(text)) => escape(text, &mut html),
                    Some(HtmlPart::Html(Self(piece))) => html.push_str(piece),
                    None => {}
                }
            }
            html.push_str(piece);
        }
        debug_assert!(parts.next().is_none(), "more parts than placeholders: {template}");
        Self(html)
    }

    /// Appends a piece.
    pub fn push(&mut self, Self(piece): &Self) {
        self.0.push_str(piece);
    }

    /// The text.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl FromIterator<Html> for Html {
    fn from_iter<I: IntoIterator<Item = Self>>(pieces: I) -> Self {
        Self(pieces.into_iter().map(|Self(piece)| piece).collect())
    }
}

fn escape(text: &str, html: &mut String) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            // Control characters are not allowed in HTML.
            c if c.is_control() => html.push('\u{fffd}'),
            c => html.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a1_texts_in_placeholders_are_escaped() {
        let html = Html::fill("<p title=\"{}\">{}</p>", &["\"><script>".into(), "a & 'b' {}\u{0}".into()]);
        assert_eq!(
            html.clone().into_string(),
            "<p title=\"&quot;&gt;&lt;script&gt;\">a &amp; &#39;b&#39; {}\u{fffd}</p>"
        );
        let all = Html::fill("<div>{}</div>", &[(&html).into()]);
        assert_eq!(all.into_string(), format!("<div>{}</div>", html.into_string()));
    }
}
