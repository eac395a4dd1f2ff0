//! The rows of the generated table of [definitions](super::definitions), and their conversion to rows of the registry
//! at compile time.

use super::definitions::PARAMETERS;
use super::kind::Kind;
use super::param::Param;
use crate::fhir::{ResourceType as T, is_same};

/// The target types of a reference to any type.
pub(super) const ANY: &[&str] = &["*"];

/// The kind of a defined parameter. In contrast to [`Kind`], it may name types that are not served.
#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    Token,
    Code(&'static str),
    Identifier,
    Date,
    /// A date of which a resource may have several.
    Dates,
    String,
    Reference(&'static [&'static str]),
    Canonical,
}

/// The guide that defines a parameter, and the id of the definition there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// <https://hl7.org/fhir/R4/searchparameter-registry.html>
    R4(&'static str),
    /// <https://hl7.org/fhir/us/core/STU6.1/search-parameters-and-operations.html>
    UsCore(&'static str),
}

impl Source {
    /// The URL of the definition.
    #[must_use]
    pub fn url(self) -> String {
        match self {
            Self::R4(id) => format!("http://hl7.org/fhir/SearchParameter/{id}"),
            Self::UsCore(id) => format!("http://hl7.org/fhir/us/core/SearchParameter/{id}"),
        }
    }
}

/// The definition of a search parameter of a type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Defined {
    name: &'static str,
    form: Form,
    paths: &'static [&'static str],
    source: Option<Source>,
    included: &'static [&'static str],
    via: Option<(&'static str, T)>,
}

pub(super) const fn param(name: &'static str, form: Form, paths: &'static [&'static str], source: Source) -> Defined {
    Defined { name, form, paths, source: Some(source), included: &[], via: None }
}

impl Defined {
    /// Adds the types that can be included by it, as US Core requires.
    pub const fn included(self, included: &'static [&'static str]) -> Self {
        Self { included, ..self }
    }

    /// The definition of a parameter. `practitioner.name` is the parameter `name` of the one type that `practitioner`
    /// refers to.
    ///
    /// # Panics
    /// At compile time, if there is no such definition.
    #[allow(clippy::indexing_slicing, reason = "runs at compile time")]
    pub const fn of(on: T, name: &str) -> Self {
        let mut dot = 0;
        while dot < name.len() && name.as_bytes()[dot] != b'.' {
            dot += 1;
        }
        if dot == name.len() {
            return Self::find(on, name);
        }
        let reference = Self::find(on, name.split_at(dot).0);
        let targets = reference.targets();
        assert!(
            targets.count == 1 && reference.paths.len() == 1,
            "a chain needs a reference with one path and one target type"
        );
        let to = targets.all[0];
        let chained = Self::find(to, name.split_at(dot + 1).1);
        Self { via: Some((reference.paths[0], to)), source: None, included: &[], ..chained }
    }

    #[allow(clippy::indexing_slicing, reason = "runs at compile time")]
    const fn find(on: T, name: &str) -> Self {
        let mut at = 0;
        while !is_same(PARAMETERS[at].0, on.name()) {
            at += 1;
        }
        let (params, mut at) = (PARAMETERS[at].1, 0);
        while at < params.len() && !is_same(params[at].name, name) {
            at += 1;
        }
        assert!(at < params.len(), "the definitions have no such parameter of a supported kind");
        params[at]
    }

    /// The served types to which it may refer.
    pub const fn targets(&self) -> Types {
        if let Form::Reference(names) = self.form { Types::served(names) } else { Types::served(&[]) }
    }

    /// The served types that can be included by it.
    pub const fn inclusions(&self) -> Types {
        Types::served(self.included)
    }

    /// Converts it to a row of the registry. `targets` and `included` are the results of [`Defined::targets`] and
    /// [`Defined::inclusions`], as constants, because the row refers to them.
    pub const fn param(&self, on: T, name: &'static str, targets: &'static Types, included: &'static Types) -> Param {
        let kind = match self.form {
            Form::Token => Kind::TOKEN,
            Form::Code(system) => Kind::code(system),
            Form::Identifier => Kind::IDENTIFIER,
            Form::Date | Form::Dates => Kind::DATE,
            Form::String => Kind::STRING,
            Form::Reference(_) => Kind::reference(targets.list()),
            Form::Canonical => Kind::CANONICAL,
        };
        Param {
            repeats: matches!(self.form, Form::Dates),
            via: self.via,
            definition: self.source,
            included: included.list(),
            ..Param::new(on, name, kind, self.paths)
        }
    }
}

/// A list of served types that is made at compile time.
pub(super) struct Types {
    all: [T; T::ALL.len()],
    count: usize,
}

impl Types {
    /// The served ones of the named types, in the same order. [`ANY`] stands for all served types.
    #[allow(clippy::indexing_slicing, reason = "runs at compile time")]
    const fn served(names: &[&str]) -> Self {
        let mut types = Self { all: [T::Patient; T::ALL.len()], count: 0 };
        let any = names.len() == 1 && is_same(names[0], ANY[0]);
        let mut at = 0;
        while at < if any { T::ALL.len() } else { names.len() } {
            let found = if any { Some(T::ALL[at]) } else { T::find(names[at]) };
            if let Some(kind) = found {
                types.all[types.count] = kind;
                types.count += 1;
            }
            at += 1;
        }
        types
    }

    pub const fn list(&self) -> &[T] {
        self.all.split_at(self.count).0
    }
}
