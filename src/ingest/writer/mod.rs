//! Writing indexed resources into the tables of `migrations/`: into charts, and, for types that are searched without a
//! patient, also into rows. Stored data come in as rows, and changes go out as rows ([`Tables`]), so that the same code
//! writes a file of the command line and the databases of a Worker.

mod charts;
mod error;
mod gathered;
mod opened_chart;
mod resource_writer;
mod rows;
mod snapshot;
mod stored_records;
mod stored_row;
mod tables;

pub use error::WriteError;
pub use gathered::{GatheredChart, ResourceEdit};
pub use resource_writer::{SkippedCompartments, Writer};
pub use snapshot::{Clock, Snapshot, WriteFailure, Written, write};
pub use stored_records::Records;
pub use tables::Tables;
