//! Permission: what a SMART scope opens, which patients a resource belongs to, and what a grant makes of a question.
//!
//! [`Grant::narrow`] and [`Grant::permits`] are the only makers of a [`Permitted`] question, and stores answer nothing
//! else: a search that was not authorised does not compile. Not here: how a token is verified (`oauth`).

mod compartment;
mod describe;
mod grant;
mod scope;
mod table;

pub use compartment::{Owner, each_owning, is_directory, is_owned_through_others, joint_owner, owner_of};
pub use grant::{AccessRule, Denied, Grant, PatientSet, Permitted, Prefer};
pub use scope::{Action, Clinical, Level, Scope, ScopeError, ScopeSet, wildcard};
pub use table::{Cell, ScopeLine, ScopeRow, ScopeTable, condition};
