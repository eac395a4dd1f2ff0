//! Facts about whether a resource has a parameter, in addition to the facts of its values. They are kept under one more
//! parameter of each type ([`crate::registry::presence`]), whose values are the names of the type's parameters.

use super::criterion::Criterion;
use super::fact::Fact;
use super::token::{Token, TokenCriterion};

/// A fact about the presence of a parameter in a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// The resource has an element of the parameter, but no value: a CodeableConcept with only a text, or a reference
    /// without an address. The parameter is not missing.
    Element,
    /// The parameter does not find the resource, whatever elements the resource has ([`crate::Param::unless`]).
    Excepted,
}

impl Presence {
    /// Returns the system of the token that represents the presence.
    const fn system(self) -> &'static str {
        match self {
            Self::Element => "",
            Self::Excepted => "unless",
        }
    }

    /// Returns the fact that the parameter with that name has this presence.
    pub fn fact(self, param: &str) -> Fact {
        Token { system: self.system().to_owned(), code: param.to_owned() }.into()
    }

    /// Returns the criterion that the parameter with that name has this presence.
    pub fn criterion(self, param: &str) -> Criterion {
        TokenCriterion::Coded { system: self.system().to_owned(), code: param.to_owned() }.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_criterion_holds_for_the_fact_of_the_same_presence_and_parameter() {
        let all = [Presence::Element, Presence::Excepted].map(|presence| [(presence, "a"), (presence, "b")]);
        for fact in all.as_flattened() {
            for criterion in all.as_flattened() {
                assert_eq!(criterion.0.criterion(criterion.1).holds(&fact.0.fact(fact.1)), criterion == fact);
            }
        }
    }
}
