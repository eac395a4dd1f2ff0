//! Permission: scopes, grants and patient compartments.
//!
//! Only a [`Grant`] makes a [`Permitted`] request, by [`Grant::narrow`], [`Grant::permits`] and their like, and stores
//! answer no others: a search without authorization does not compile. Tokens are verified in `oauth`.
//!
//! # What a token opens
//!
//! ```
//! use fhir::{Id, ResourceType};
//! use search::{Handling, parse};
//! use smart::{Denied, Grant, PatientSet, ScopeSet};
//!
//! // The scopes of a token, and the patient in context.
//! let scopes = ScopeSet::parse("patient/Observation.rs?category=vital-signs").unwrap();
//! let grant = Grant { scopes, patient: Id::parse("amara"), ..Grant::default() };
//!
//! let all = |on| parse(on, &[], Handling::Strict, "https://example.org/fhir").unwrap();
//! let permitted = grant.narrow(all(ResourceType::Observation), None).unwrap();
//! let [rule] = permitted.rules() else { panic!("one scope opens the type") };
//! assert_eq!(rule.patients, PatientSet::One(Id::parse("amara").unwrap()));
//! assert_eq!(rule.only[0].param.name, "category");
//!
//! // No scope opens another type.
//! let denied = grant.narrow(all(ResourceType::Condition), None).unwrap_err();
//! assert!(matches!(denied, Denied::Scope { .. }));
//! ```

mod compartment;
mod describe;
mod grant;
mod parts;
mod public;
mod scope;
mod table;
mod words;

pub use compartment::{
    Owner, belongs_to_nobody, for_each_owning, is_directory, is_owned_through_others, joint_owner, owner_of,
    sole_owning,
};
pub use describe::conditions;
pub use grant::{AccessRule, Authorization, Denied, Grant, PatientList, PatientSet, Permitted, PermittedJoin};
pub use parts::{ScopePart, closed_with, granted_scopes, part_scopes, parts};
pub use public::PublicScopes;
pub use scope::{Action, Level, OF_APPS, ResourceScope, Scope, ScopeError, ScopeSet, sends, wildcard};
pub use search::names_groups;
pub use table::{Cell, ScopeLine, ScopeRow, ScopeTable, condition};
