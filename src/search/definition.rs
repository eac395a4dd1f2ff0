//! The published definitions of search parameters, from the tables in `src/search/tables/`: those of R4, and of guides.

use std::sync::LazyLock;

use super::guide::Guides;
use super::kind::{Component, Form, Kind};
use fhir::{Blocks, ResourceType, columns, lines, words};

/// The type of composite parameters.
const COMPOSITE: &str = "composite";

/// The type under which the parameters of all types are defined.
pub(super) const ANY_TYPE: &str = "Resource";

/// The published definition of a parameter of a type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Definition {
    /// The type that is searched.
    base: &'static str,
    name: &'static str,
    /// The type of the parameter (<https://hl7.org/fhir/R4/valueset-search-param-type.html>).
    fhir_type: &'static str,
    /// The elements, as paths with the types of the elements.
    elements: &'static str,
    /// The target types of a reference, or the system of the codes.
    more: &'static str,
    /// The id of the definition of R4, if it is not the type and the name.
    id: &'static str,
}

/// The meaning of a definition for the search.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Meaning {
    pub kind: Kind,
    pub paths: Vec<&'static str>,
    /// The elements whose parts `paths` may name.
    pub elements: Vec<&'static str>,
    /// For a date: true if a resource may have several.
    pub repeats: bool,
    /// True if only references to the target types count.
    pub typed: bool,
}

static R4: LazyLock<Blocks> = LazyLock::new(|| Blocks::read(include_str!("tables/parameters.tsv")));
static OF_GUIDES: LazyLock<Blocks> = LazyLock::new(|| Blocks::read(include_str!("tables/parameters-of-guides.tsv")));

/// Returns the types of elements that searches read for a type of parameter. `None` if no such parameter is supported.
fn element_types(fhir_type: &str) -> Option<&'static str> {
    let found = lines(include_str!("tables/element-types.tsv")).map(columns).find(|[of, ..]| *of == fhir_type);
    found.map(|[_, types, ..]| types)
}

/// The forms of the elements of a token, each with its types. The first form that has all types of a parameter counts.
const FORMS: [(Form, &[&str]); 8] = [
    (Form::Concept, &["CodeableConcept", "Coding"]),
    (Form::Code, &["code"]),
    (Form::Identifier, &["Identifier"]),
    (Form::Contact, &["ContactPoint"]),
    (Form::Boolean, &["boolean"]),
    (Form::Existence, &["boolean", "dateTime"]),
    (Form::Word, &["string", "uri", "id"]),
    (Form::Mixed, &["CodeableConcept", "Coding", "boolean", "uri"]),
];

const TOGETHER: &str = "no search reads the types of its elements together";

/// The string parts of an element that is searched as a string (<https://hl7.org/fhir/R4/search.html#string>).
const PARTS: [(&str, &[&str]); 2] = [
    ("HumanName", &["family", "given", "prefix", "suffix", "text"]),
    ("Address", &["line", "city", "district", "state", "postalCode", "country", "text"]),
];

impl Definition {
    /// Returns the definition of a parameter of a type, or of [`ANY_TYPE`].
    pub fn find(base: &'static str, name: &str) -> Option<Self> {
        Self::find_in(&R4, base, name).or_else(|| Self::find_in(&OF_GUIDES, base, name))
    }

    fn find_in(table: &Blocks, base: &'static str, name: &str) -> Option<Self> {
        let line = table.about(base).iter().find(|[own, ..]| *own == name);
        line.map(|&[name, fhir_type, elements, more, id, ..]| Self { base, name, fhir_type, elements, more, id })
    }

    /// Returns the names of the parameters that R4 and guides define for a type, in the order of the tables.
    pub fn names(base: &'static str) -> impl Iterator<Item = &'static str> {
        R4.about(base).iter().chain(OF_GUIDES.about(base)).map(|[name, ..]| *name)
    }

    /// Returns whether only guides define the parameter.
    pub fn is_of_guides(&self) -> bool {
        Self::find_in(&R4, self.base, self.name).is_none()
    }

    /// Returns the meaning of the definition for searches.
    ///
    /// # Errors
    /// If searches do not support the parameter, with the reason.
    pub fn meaning(&self) -> Result<Meaning, &'static str> {
        if self.fhir_type == COMPOSITE {
            return self.composite();
        }
        let supported = element_types(self.fhir_type).ok_or("no search supports parameters of its type")?;
        let (mut types, mut elements, mut paths) = (Vec::new(), Vec::new(), Vec::new());
        let (mut repeats, mut typed) = (false, false);
        for element in words(self.elements) {
            let (path, of) = element.rsplit_once(':').unwrap_or((element, ""));
            let element_type = of.trim_end_matches('*');
            if !words(supported).any(|supported| supported == element_type) {
                continue;
            }
            types.push(element_type);
            repeats |= of != element_type;
            let path = if path.is_empty() { camel_case(self.name) } else { path };
            let path = without_type(path).inspect(|_| typed = true).unwrap_or(path);
            elements.push(path);
            match PARTS.iter().find(|(of, _)| *of == element_type) {
                Some((_, parts)) => paths.extend(parts.iter().map(|part| leak(format!("{path}.{part}")))),
                None => paths.push(path),
            }
        }
        if types.is_empty() {
            return Err("no search reads the types of its elements");
        }
        let all = |known: &[&str]| types.iter().all(|element_type| known.contains(element_type));
        let kind = match self.fhir_type {
            "date" => Kind::DATE,
            "string" => Kind::STRING,
            "number" => Kind::NUMBER,
            "quantity" => Kind::QUANTITY,
            "reference" if all(&["Reference"]) => Kind::reference(self.targets()),
            "reference" if all(&["canonical", "uri"]) => Kind::CANONICAL,
            // R4 gives the part of a source before its fragment, and of a canonical before its version, as examples.
            "uri" if self.name == "_source" => Kind::uri("#"),
            "uri" => Kind::uri(if all(&["canonical"]) { "|" } else { "" }),
            "token" if self.name == "_id" => Kind::ID,
            "token" => {
                let form = FORMS.iter().find(|(_, known)| all(known)).map(|(form, _)| *form);
                Kind::token(form.ok_or(TOGETHER)?, self.more)
            }
            _ => return Err(TOGETHER),
        };
        Ok(Meaning { kind, paths, elements, repeats, typed })
    }

    /// Returns the meaning of a composite. Its paths are the roots of its instances.
    fn composite(&self) -> Result<Meaning, &'static str> {
        let (mut components, mut roots) = (Vec::new(), Vec::new());
        for component in self.elements.split("; ") {
            let mut words = component.splitn(3, ' ');
            let [name, fhir_type, elements] = [words.next(), words.next(), words.next()].map(Option::unwrap_or_default);
            // The targets and the system come from the parameter that the component is defined by.
            let more = Self::find(self.base, name).map_or("", |own| own.more);
            let meaning = Self { name, fhir_type, elements, more, ..*self }.meaning()?;
            for (root, _) in meaning.paths.iter().filter_map(|path| path.split_once('/')) {
                if !roots.contains(&root) {
                    roots.push(root);
                }
            }
            components.push(Component { name, kind: meaning.kind, paths: meaning.paths.leak() });
        }
        let kind = Kind::composite(components.leak());
        Ok(Meaning { kind, paths: roots, elements: Vec::new(), repeats: false, typed: false })
    }

    /// Returns the served types to which a reference may lead.
    fn targets(&self) -> &'static [ResourceType] {
        if self.more == "*" { ResourceType::served() } else { types(self.more) }
    }
}

/// Returns the address of the definition of a parameter in US Core, else in R4, else in the first other guide that has
/// one. A chained parameter has none.
pub(super) fn address(guides: &Guides, base: ResourceType, name: &str) -> Option<String> {
    let of_r4 = |base| {
        let Definition { name, id, .. } = Definition::find_in(&R4, base, name)?;
        let id = if id.is_empty() { format!("{base}-{name}") } else { id.to_owned() };
        Some(format!("http://hl7.org/fhir/SearchParameter/{id}"))
    };
    let mut of_guides = guides.all().map(|guide| guide.definition(base.name(), name));
    let of_us_core = of_guides.next().flatten();
    of_us_core.or_else(|| of_r4(base.name())).or_else(|| of_r4(ANY_TYPE)).or_else(|| of_guides.flatten().next())
}

/// Returns the named types that are served, in the same order.
pub(super) fn types(names: &'static str) -> &'static [ResourceType] {
    words(names).filter_map(ResourceType::parse).collect::<Vec<_>>().leak()
}

/// Returns a path without the condition that its references are of one type; [`Meaning::typed`] and the targets express
/// that condition. `None` if the path has no such condition.
fn without_type(path: &'static str) -> Option<&'static str> {
    let (path, condition) = path.split_once('[')?;
    condition.starts_with(|first: char| first.is_ascii_uppercase()).then_some(path)
}

/// Returns a name with hyphens in the spelling of FHIR elements: `targetDate`.
fn camel_case(name: &'static str) -> &'static str {
    if !name.contains('-') {
        return name;
    }
    let mut path = String::new();
    for part in name.split('-') {
        let mut letters = part.chars();
        let first = letters.next().map(|first| if path.is_empty() { first } else { first.to_ascii_uppercase() });
        path.extend(first.into_iter().chain(letters));
    }
    leak(path)
}

/// Leaks a text to make it `'static`. Definitions are read once.
fn leak(text: String) -> &'static str {
    text.leak()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fhir::Columns;

    fn meaning(base: &'static str, name: &str) -> Result<Meaning, &'static str> {
        Definition::find(base, name).unwrap().meaning()
    }

    /// The parameters of R4 that are in no build.
    static UNSUPPORTED: LazyLock<Blocks> =
        LazyLock::new(|| Blocks::read(include_str!("tables/parameters-unsupported.tsv")));

    fn of_line(base: &'static str, [name, fhir_type, elements, more, ..]: Columns) -> Definition {
        Definition { base, name, fhir_type, elements, more, id: "" }
    }

    #[test]
    fn every_line_of_the_tables_has_elements_with_types() {
        let is_element = |element: &str| element.rsplit_once(':').is_some_and(|(_, of)| !of.is_empty());
        let (mut supported, mut others) = (0, 0);
        for (base, line) in R4.all() {
            let definition = of_line(base, line);
            for component in definition.elements.split("; ") {
                let mut component = words(component);
                let of = match definition.fhir_type {
                    COMPOSITE => component.by_ref().take(2).last(),
                    of => Some(of),
                };
                assert!(of.and_then(element_types).is_some(), "{base} {line:?}");
                assert!(component.all(is_element), "{base} {line:?}");
            }
            supported += usize::from(definition.meaning().is_ok());
            others += usize::from(definition.meaning().is_err());
        }
        assert_eq!((supported, others), (1_700, 0), "the parameters of R4 that can be served, and the others");
        assert_eq!(UNSUPPORTED.all().count(), 6);
    }

    #[test]
    fn what_cannot_be_served_yet_is_said() {
        let unsupported = |base, name: &str| {
            let line = UNSUPPORTED.about(base).iter().find(|[own, ..]| *own == name);
            line.map(|line| of_line(base, *line).meaning())
        };
        for (base, line) in UNSUPPORTED.all() {
            assert!(of_line(base, line).meaning().is_err(), "{base} {line:?} can be served: make definitions");
        }
        for (base, name, why) in [
            ("Location", "near", "no search supports parameters of its type"),
            ("Bundle", "composition", "no search reads the types of its elements"),
        ] {
            let found = unsupported(base, name).unwrap_or_else(|| meaning(base, name));
            assert_eq!(found, Err(why), "{base} {name}");
        }
    }
}
