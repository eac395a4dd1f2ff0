//! Resources that are kept until their chart is written, so that each chart is written once.

use std::collections::BTreeMap;
use std::rc::Rc;

use fhir::{Id, ResourceType};

/// A resource to write into a chart, or to remove from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceEdit {
    /// The number of the compartment.
    pub n: i64,
    /// The type.
    pub resource_type: ResourceType,
    /// The id.
    pub id: Id,
    /// The resource in the form of [`chart::to_bytes`], which all its charts share. `None` removes it.
    pub data: Option<Rc<[u8]>>,
}

/// All resources to write into one chart, or to remove from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatheredChart {
    /// The number of the compartment.
    pub n: i64,
    /// The type.
    pub resource_type: ResourceType,
    /// See [`ResourceEdit::data`].
    pub resources: BTreeMap<Id, Option<Rc<[u8]>>>,
}
