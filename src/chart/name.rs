//! The names of charts.

use std::fmt;

use fhir::ResourceType;

/// The name of a chart: its compartment and its type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ChartName {
    /// The id of the compartment: a patient's, or one that begins with an underscore.
    pub compartment: String,
    /// The type of the resources.
    pub resource_type: ResourceType,
}

impl ChartName {
    /// Returns the name of the chart of one type in a compartment.
    pub fn new(compartment: &impl ToString, resource_type: ResourceType) -> Self {
        Self { compartment: compartment.to_string(), resource_type }
    }

    /// Appends the name unless the list already contains it.
    pub fn put(self, names: &mut Vec<Self>) {
        if !names.contains(&self) {
            names.push(self);
        }
    }
}

impl fmt::Display for ChartName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.compartment, self.resource_type)
    }
}
