//! Facts about a parameter of a resource besides its values: whether it is there. They are kept under one more
//! parameter of each type ([`crate::presence`]), whose values are the names of the type's parameters.

use super::criterion::Criterion;
use super::fact::Fact;
use super::token::{Token, TokenCriterion};

/// A fact about a parameter of a resource besides its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// The resource has an element of the parameter, but no value: a CodeableConcept of text alone, a reference without
    /// an address. The parameter is not missing.
    Element,
    /// The parameter does not find the resource, whatever its elements are ([`crate::Param::unless`]).
    Excepted,
}

impl Presence {
    /// The system of the token that stands for it.
    const fn system(self) -> &'static str {
        match self {
            Self::Element => "",
            Self::Excepted => "unless",
        }
    }

    /// The fact that it is so for the parameter with that name.
    #[must_use]
    pub fn fact(self, param: &str) -> Fact {
        Token { system: self.system().to_owned(), code: param.to_owned() }.into()
    }

    /// The criterion that it is so for the parameter with that name.
    #[must_use]
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
