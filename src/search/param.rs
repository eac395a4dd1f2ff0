//! Search parameters, as rows of the registry.

use super::definition;
use super::guide::Guides;
use super::kind::{Fact, Kind, Modifier};
use super::param_id::ParamId;
use fhir::{Reference, ResourceType};

/// One search parameter of one resource type: a row of the registry.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// The type that is searched.
    pub base: ResourceType,
    /// The name in a query string.
    pub name: &'static str,
    /// The kind, which determines the comparison.
    pub kind: Kind,
    /// The paths of its elements (see [`fhir::for_each_value`]).
    pub paths: &'static [&'static str],
    /// The paths of the elements whose parts `paths` may name. The parameter is missing if none of them has content.
    pub elements: &'static [&'static str],
    /// True for the date by which the type is ordered, so that a store can read a range of it in order.
    pub clinical: bool,
    /// True if a search by this parameter need not name a patient.
    pub identifying: bool,
    /// For a date: true if a resource may have several values.
    pub repeats: bool,
    /// A path and a code. The parameter does not find a resource with that code at that path.
    pub unless: Option<(&'static str, &'static str)>,
    /// For a chained parameter, the path of the reference and the type of the target, whose elements `paths` name.
    pub via: Option<(&'static str, ResourceType)>,
    /// For a reference, the types that can be included by the parameter.
    pub included: &'static [ResourceType],
    /// True if only a reference to one of the types of `kind` is a value. The parameter is missing where its elements
    /// refer to other types.
    pub typed: bool,
    /// True if the elements of the parameter determine to which patient a resource belongs.
    pub owns: bool,
    /// True if the parameter is in the set that US Core needs ([`super::IndexSet::us_core`]).
    pub in_us_core: bool,
    /// True if the parameter is neither in that set nor defined by R4, but by other guides.
    pub is_of_guides: bool,
    /// The parameters whose facts are the values of this one: itself, or others that read the same elements.
    pub columns: &'static [ParamId],
    /// For a composite whose instance may be the resource: the positions, in the list of the type's parameters, of the
    /// parameters whose values are its components. Stores keep no facts of such an instance.
    pub component_params: &'static [usize],
    /// The number in stores.
    pub id: ParamId,
    /// The number by which stores record that they have the facts: its own, or one for several parameters.
    pub index_id: ParamId,
}

impl Param {
    /// Returns the modifiers that the parameter accepts: those of its kind. A chain, whose elements belong to another
    /// resource, and a parameter that reads no elements accept only modifiers that compare values.
    pub fn modifiers(&self) -> impl Iterator<Item = Modifier> {
        let reads_own = self.via.is_none() && !self.paths.is_empty();
        let all = self.kind.modifiers().iter().copied();
        all.filter(move |modifier| reads_own || modifier.compares_values())
    }

    /// Returns whether stores keep facts of the parameter. Parameters with the same elements share one set of facts.
    #[must_use]
    pub fn is_stored(&self) -> bool {
        self.columns.contains(&self.id)
    }

    /// Returns the address of the definition in US Core, else in R4, else in the first other guide that has one. A
    /// chained parameter has none.
    pub fn definition(&self, guides: &Guides) -> Option<String> {
        definition::address(guides, self.base, self.name)
    }

    /// Returns whether answers can be sorted by the values. The values of a chain belong to other resources, and those
    /// of a composite have no order.
    #[must_use]
    pub const fn is_sortable(&self) -> bool {
        self.via.is_none() && self.kind.components().is_empty()
    }

    /// Returns whether a fact of one of the columns is a value of the parameter. A reference to a type that is not one
    /// of its target types is not a value.
    #[must_use]
    pub fn has_value(&self, fact: &Fact) -> bool {
        let target = fact.reference().and_then(Reference::parse);
        let leads_to = |of: Reference| self.kind.targets().is_none_or(|types| types.contains(&of.resource_type));
        target.is_none_or(leads_to)
    }

    /// Returns the names of the top-level elements of a resource that contain the elements of the parameter.
    pub fn top_elements(&self) -> impl Iterator<Item = &'static str> {
        let except = self.unless.map(|(path, _)| path);
        let paths = self.paths.iter().chain(self.elements).copied().chain(except);
        paths.map(|path| path.split(['.', '(', '[']).next().unwrap_or(path))
    }

    /// Returns whether the parameter accepts a modifier.
    #[must_use]
    pub fn takes(&self, modifier: Modifier) -> bool {
        self.modifiers().any(|taken| taken == modifier)
    }
}

impl PartialEq for Param {
    fn eq(&self, other: &Self) -> bool {
        self.base == other.base && self.name == other.name
    }
}

impl Eq for Param {}
