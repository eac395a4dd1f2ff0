//! The parameters of which stores keep facts.

use super::modifier_params::modifier_params;
use super::param::Param;
use super::registry::{attachment, changed, clinical_dates, contained, group_party, membership, params_of, presence};
use fhir::ResourceType as T;

/// Returns the parameters for which a store may have facts: those of the type, those of its modifiers, its
/// [`attachment`]s, its [`membership`] and [`group_party`], and last its [`presence`], [`contained`] types, date
/// (`clinical_dates`) and time of change ([`changed`]).
pub fn stored_params(base: T) -> impl Iterator<Item = &'static Param> {
    let hidden = attachment(base).into_iter().chain(membership(base)).chain(group_party(base));
    let of_all =
        presence(base).into_iter().chain(contained(base)).chain(clinical_dates(base).filter(|param| !param.clinical));
    params_of(base).chain(modifier_params(base)).chain(hidden).chain(of_all).chain(changed(base))
}
