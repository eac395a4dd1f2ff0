//! Permission: scopes, grants and patient compartments.
//!
//! [`Grant::narrow`] and [`Grant::permits`] are the only makers of a [`Permitted`] query, and stores answer no other: a
//! search without authorization does not compile. Tokens are verified in `oauth`.

mod compartment;
mod describe;
mod grant;
mod parts;
mod scope;
mod table;

pub use compartment::{
    Owner, belongs_to_members, belongs_to_nobody, for_each_owning, is_directory, is_owned_through_others, joint_owner,
    owner_of, sole_owning,
};
pub use describe::conditions;
pub use grant::{AccessRule, Denied, Grant, PatientSet, Permitted, PermittedJoin};
pub use parts::{ScopePart, chosen, closed_with, parts};
pub use scope::{Action, Level, METRICS, OF_APPS, ResourceScope, Scope, ScopeError, ScopeSet, sends, wildcard};
pub use table::{Cell, ScopeLine, ScopeRow, ScopeTable, condition};
