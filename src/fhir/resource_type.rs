//! The resource types of R4. Facts about them are in `src/tables/types.tsv`. Those that this server serves have a line
//! in `src/tables/served.tsv`, of which each module reads the columns that it is about, and a number in
//! `src/tables/type-numbers.tsv`.

use std::sync::LazyLock;

use super::tables::{columns, lines, words};

/// A resource type of FHIR R4, as its index among all types in alphabetical order. [`ResourceType::parse`] knows those
/// that this server serves: the lines of `src/tables/served.tsv`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceType(u8);

/// The choices of this server about a type, as its line of `src/tables/served.tsv` has them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choices {
    /// The names of its search parameters.
    pub parameters: &'static str,
    /// The elements that order its resources.
    pub order: &'static str,
    /// The way in which the owner of its resources is found.
    pub owner: &'static str,
    /// The differences from the definitions of parameters.
    pub differences: &'static str,
}

/// The facts about a type, and, if it is served, the choices.
struct Row {
    name: &'static str,
    essential: Vec<&'static str>,
    attachments: Vec<&'static str>,
    served: Option<Served>,
}

#[derive(Clone, Copy)]
struct Served {
    choices: Choices,
    number: u8,
}

/// The number of the types of R4.
const COUNT: u8 = 146;

/// The rows of all types of R4, by index, and the types that are served.
static TYPES: LazyLock<(Vec<Row>, Vec<ResourceType>)> = LazyLock::new(|| {
    let mut rows = Vec::with_capacity(COUNT.into());
    for line in lines(include_str!("../tables/types.tsv")) {
        let [name, essential, attachments, ..] = columns(line);
        rows.push(Row {
            name,
            essential: words(essential).collect(),
            attachments: words(attachments).collect(),
            served: None,
        });
    }
    let number = |name| lines(include_str!("../tables/type-numbers.tsv")).zip(1..).find(|(on, _)| *on == name);
    for line in lines(include_str!("../tables/served.tsv")) {
        let [name, parameters, order, owner, essential, differences, ..] = columns(line);
        if let (Some(row), Some((_, number))) = (rows.iter_mut().find(|row| row.name == name), number(name)) {
            row.essential.extend(words(essential));
            row.served = Some(Served { choices: Choices { parameters, order, owner, differences }, number });
        }
    }
    let served = (0..COUNT).zip(&rows).filter(|(_, row)| row.served.is_some()).map(|(at, _)| ResourceType(at));
    let served = served.collect();
    (rows, served)
});

macro_rules! named {
    ($($name:ident = $index:literal,)*) => {
        #[allow(non_upper_case_globals, reason = "they are written as FHIR writes them")]
        impl ResourceType {
            $(
                #[doc = concat!("<https://hl7.org/fhir/R4/", stringify!($name), ".html>")]
                pub const $name: Self = Self($index);
            )*
        }

        /// The types that have a constant.
        #[cfg(test)]
        const NAMED: &[(&str, ResourceType)] = &[$((stringify!($name), ResourceType::$name)),*];
    };
}

// The types that the code names, each with its index.
named! {
    AllergyIntolerance = 3,
    Binary = 8,
    CarePlan = 13,
    CareTeam = 14,
    Condition = 27,
    Coverage = 30,
    Device = 34,
    DiagnosticReport = 39,
    DocumentReference = 41,
    Encounter = 43,
    Endpoint = 44,
    Goal = 55,
    Group = 57,
    Immunization = 61,
    Location = 70,
    Media = 73,
    Medication = 74,
    MedicationDispense = 76,
    MedicationRequest = 78,
    Observation = 95,
    Organization = 99,
    Patient = 102,
    Practitioner = 107,
    PractitionerRole = 108,
    Procedure = 109,
    Provenance = 110,
    Questionnaire = 111,
    QuestionnaireResponse = 112,
    RelatedPerson = 113,
    ServiceRequest = 123,
    Specimen = 125,
}

impl ResourceType {
    /// Every type of R4, served or not, in the order of their indices.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..COUNT).map(Self)
    }

    /// Every served type, in alphabetical order.
    #[must_use]
    pub fn served() -> &'static [Self] {
        &TYPES.1
    }

    /// The served type of this exact name. Case matters, as in FHIR.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let index = TYPES.0.binary_search_by(|row| row.name.cmp(name)).ok()?;
        u8::try_from(index).ok().map(Self).filter(|resource_type| resource_type.row().served.is_some())
    }

    /// The served type with that number in stores.
    #[must_use]
    pub fn numbered(number: u8) -> Option<Self> {
        Self::served().iter().copied().find(|resource_type| resource_type.number() == number)
    }

    /// The index of the type among those of R4.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    #[allow(clippy::indexing_slicing, reason = "the list has an element for each type of R4")]
    fn row(self) -> &'static Row {
        &TYPES.0[self.index()]
    }

    /// The name as in `resourceType`, in routes and in scopes.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Its number in stores, at least 1, or 0 if it is not served. It is the same in every version.
    #[must_use]
    pub fn number(self) -> u8 {
        self.row().served.map_or(0, |served| served.number)
    }

    /// The choices of this server about it.
    pub(crate) fn choices(self) -> Option<Choices> {
        self.row().served.map(|served| served.choices)
    }

    /// The elements that are mandatory or modifying in R4, except those that all types share, and others that no subset
    /// leaves out.
    #[must_use]
    pub fn essential(self) -> &'static [&'static str] {
        &self.row().essential
    }

    /// The elements of type Attachment. Elements with a choice of types are not among them.
    #[must_use]
    pub fn attachments(self) -> &'static [&'static str] {
        &self.row().attachments
    }
}

impl std::fmt::Display for ResourceType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::fmt::Debug for ResourceType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_of_r4_are_in_alphabetical_order() {
        assert_eq!(TYPES.0.len(), usize::from(COUNT));
        assert!(TYPES.0.is_sorted_by(|one, other| one.name < other.name));
    }

    #[test]
    fn every_constant_has_the_index_of_its_type_which_is_served() {
        for (name, resource_type) in NAMED {
            assert_eq!(resource_type.name(), *name);
            assert_eq!(ResourceType::parse(name), Some(*resource_type), "{name} is not served");
        }
    }

    #[test]
    fn every_line_of_the_choices_is_a_type_with_a_number() {
        let names: Vec<_> = lines(include_str!("../tables/served.tsv")).map(|line| columns(line)[0]).collect();
        let served: Vec<_> = ResourceType::served().iter().map(|resource_type| resource_type.name()).collect();
        assert_eq!(names, served, "they are in alphabetical order, and each has a number");
        for resource_type in ResourceType::served() {
            assert_eq!(ResourceType::parse(resource_type.name()), Some(*resource_type));
            assert_eq!(ResourceType::numbered(resource_type.number()), Some(*resource_type));
        }
    }

    #[test]
    fn a_type_that_is_not_served_is_not_found() {
        for unknown in ["observation", "Claim", ""] {
            assert_eq!(ResourceType::parse(unknown), None);
        }
        assert_eq!(ResourceType::numbered(0), None);
    }
}
