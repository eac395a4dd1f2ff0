//! Parameters of type quantity (<https://hl7.org/fhir/R4/search.html#quantity>), over Quantity and the related types
//! Money and Range.
//!
//! A fact is an [`Interval`] with its unit. It has an index key for each form in which a search may name the unit,
//! followed by the ends of the interval. After the kind of a unit that UCUM defines, the ends are in base units.

use std::cell::RefCell;
use std::rc::Rc;

use super::element::{MAX_LENGTH, malformed};
use super::escape::{split, unescape};
use super::form::{Comparison, Comparisons, FactValue, ParamKind, Phrase, RawValue};
use super::index::{IndexKey, Lookup};
use super::interval::{Ends, Interval, NumberCriterion, PREFIXES};
use super::number::{comparisons, range_of};
use crate::sort_value::SortValue;
use crate::ucum::{Scale, UCUM};
use fhir::{Decimal, Elements, Issue, quoted};

/// The system of currencies (<https://hl7.org/fhir/R4/search.html#quantity>).
const CURRENCIES: &str = "urn:iso:std:iso:4217";
/// The separator of the parts of an index key.
const PART: char = '\u{1f}';

/// The kind of parameters over a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantities;

impl Quantities {
    /// Calls `add` with each value in the text of an element.
    pub(super) fn values_in_text(element: &str, add: &mut dyn FnMut(Quantity)) {
        Elements::of(element).ok().and_then(|element| quantity_of(&element)).into_iter().for_each(add);
    }
}

impl ParamKind for Quantities {
    type Value = Quantity;
    type Comparison = QuantityCriterion;

    /// Parses a number into comparisons in the unit as written and, if UCUM defines the unit, also in base units.
    fn parse(&self, value: &RawValue<'_>) -> Result<Comparisons<QuantityCriterion>, Issue> {
        let forms = format!("number, number|system|code or number||code, {PREFIXES}");
        let parts = split(value.text, '|');
        let (number, unit) = match parts.as_slice() {
            [number] => (*number, WantedUnit::Any),
            [number, system, code] => (*number, WantedUnit::of(unescape(system), unescape(code))),
            _ => return Err(malformed(format!("{} is not a number and its unit.", quoted(value.text)), &forms)),
        };
        let numbers = comparisons(number, &forms)?;
        let as_written = numbers.iter().map(|number| QuantityCriterion { number: *number, unit: unit.clone() });
        let in_base = numbers
            .iter()
            .filter_map(|number| Some(QuantityCriterion { number: *number, unit: unit.in_base(*number)? }));
        Ok(Comparisons::OneOf(as_written.chain(in_base).collect()))
    }

    fn keys(&self, quantity: &Quantity) -> Vec<IndexKey> {
        let Unit { system, code, unit, scale } = &*quantity.unit;
        let ends = quantity.number.ends();
        let mut keys = vec![ends.key(&key_of_any())];
        if !code.is_empty() {
            keys.extend([ends.key(&key_of_name(code)), ends.key(&key_of_code(system, code))]);
        }
        if !unit.is_empty() && unit != code {
            keys.push(ends.key(&key_of_name(unit)));
        }
        if !system.is_empty() {
            keys.push(ends.key(&key_of_system(system)));
        }
        let in_base = |scale: &Scale| Some(ends.converted(&|number| scale.in_base(number))?.key(&key_of_kind(scale)));
        keys.extend(scale.as_ref().and_then(in_base));
        keys
    }
}

// The beginnings of index keys. Each form has a different one.

fn key_of_any() -> String {
    PART.to_string()
}

fn key_of_name(name: &str) -> String {
    format!("|{name}{PART}")
}

fn key_of_system(system: &str) -> String {
    format!("{system}|{PART}")
}

fn key_of_code(system: &str, code: &str) -> String {
    format!("{system}|{code}{PART}")
}

fn key_of_kind(scale: &Scale) -> String {
    format!("{}{PART}", scale.kind())
}

/// Returns the quantity of an element. `None` if the element has no number that can be compared.
fn quantity_of(element: &Elements<'_>) -> Option<Quantity> {
    let text = |of: &Elements<'_>, name: &str| match of.get(name).map(serde_json::from_str::<String>) {
        Some(Ok(text)) => text,
        // An element of another type counts as missing.
        Some(Err(_)) | None => String::new(),
    };
    let unit = |of: &Elements<'_>| match text(of, "currency") {
        none if none.is_empty() => Unit::of(&text(of, "system"), &text(of, "code"), &text(of, "unit")),
        currency => Unit::of(CURRENCIES, &currency, ""),
    };
    let Some(value) = element.get("value") else {
        let (number, end) = range_of(element)?;
        return Some(Quantity { number, unit: unit(&end) });
    };
    let value = Decimal::parse(value)?;
    let number = match element.get("comparator") {
        None => Interval::point(value),
        Some(_) => Interval::from_comparator(&text(element, "comparator"), value)?,
    };
    Some(Quantity { number, unit: unit(element) })
}

/// A number with its unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// The number, or the interval of the numbers that it may be.
    pub number: Interval,
    /// The unit.
    pub unit: Rc<Unit>,
}

/// A unit of measure, whose parts may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// The system of the code.
    pub system: String,
    /// The code.
    pub code: String,
    /// The name of the unit as people read it.
    pub unit: String,
    /// The scale in base units, if UCUM defines the unit.
    scale: Option<Scale>,
}

/// The most units that are cached.
const REMEMBERED: usize = 256;

impl Unit {
    /// Returns the unit with these parts. Recent units are cached, because the values of a store have few units.
    pub fn of(system: &str, code: &str, unit: &str) -> Rc<Self> {
        thread_local! {
            static KNOWN: RefCell<Vec<Rc<Unit>>> = const { RefCell::new(Vec::new()) };
        }
        KNOWN.with_borrow_mut(|known| {
            let is_it = |other: &&Rc<Self>| other.code == code && other.unit == unit && other.system == system;
            if let Some(unit) = known.iter().find(is_it) {
                return Rc::clone(unit);
            }
            let scale = if system == UCUM { Scale::of(code) } else { None };
            let unit = Self { system: system.to_owned(), code: code.to_owned(), unit: unit.to_owned(), scale };
            let unit = Rc::new(unit);
            if known.len() == REMEMBERED {
                known.clear();
            }
            known.push(Rc::clone(&unit));
            unit
        })
    }
}

impl FactValue for Quantity {
    fn text(&self) -> String {
        let Unit { system, code, unit, .. } = &*self.unit;
        [&self.number.written(), system.as_str(), code, unit].join(&PART.to_string())
    }

    fn is_short(&self) -> bool {
        [&self.unit.system, &self.unit.code, &self.unit.unit].iter().all(|text| text.len() <= MAX_LENGTH)
    }

    fn is_separable(&self) -> bool {
        [&self.unit.system, &self.unit.code, &self.unit.unit].iter().all(|text| !text.contains(PART))
    }

    /// Returns the number in base units, or as written if UCUM does not define the unit.
    fn sort_value(&self) -> SortValue {
        let ends = self.number.ends();
        let in_base = |scale: &Scale| ends.converted(&|number| scale.in_base(number));
        self.unit.scale.as_ref().and_then(in_base).unwrap_or(ends).sort_value()
    }
}

/// The unit of a quantity in a search.
#[derive(Debug, Clone, PartialEq, Eq)]
enum WantedUnit {
    /// Any unit, or none.
    Any,
    /// A unit in any system whose code or name is this text.
    Named(String),
    /// A unit of that system.
    OfSystem(String),
    /// The unit with that code in that system.
    Coded { system: String, code: String },
    /// A unit that is commensurable with the one of that code, for a number in base units.
    Commensurable { code: String, scale: Scale, in_base: NumberCriterion },
}

impl WantedUnit {
    fn of(system: String, code: String) -> Self {
        match (system.is_empty(), code.is_empty()) {
            (true, true) => Self::Any,
            (true, false) => Self::Named(code),
            (false, true) => Self::OfSystem(system),
            (false, false) => Self::Coded { system, code },
        }
    }

    /// Returns the wanted unit with the number in base units, if UCUM defines the unit.
    fn in_base(&self, number: NumberCriterion) -> Option<Self> {
        let Self::Coded { system, code } = self else { return None };
        let scale = if system == UCUM { Scale::of(code)? } else { return None };
        let in_base = number.converted(&|number| scale.in_base(number))?;
        Some(Self::Commensurable { code: code.clone(), scale, in_base })
    }
}

/// A comparison with a quantity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuantityCriterion {
    number: NumberCriterion,
    unit: WantedUnit,
}

impl Comparison for QuantityCriterion {
    type Value = Quantity;

    fn holds(&self, quantity: &Quantity) -> bool {
        let Unit { system, code, unit, scale } = &*quantity.unit;
        let ends = quantity.number.ends();
        let is_wanted = match &self.unit {
            WantedUnit::Any => true,
            WantedUnit::Named(name) => name == code || name == unit,
            WantedUnit::OfSystem(wanted) => wanted == system,
            WantedUnit::Coded { system: wanted, code: wanted_code } => wanted == system && wanted_code == code,
            WantedUnit::Commensurable { scale: wanted, in_base, .. } => {
                let scale = scale.filter(|scale| scale.is_commensurable(wanted));
                let converted = scale.and_then(|scale| ends.converted(&|number| scale.in_base(number)));
                return converted.is_some_and(|ends: Ends| in_base.holds_between(&ends));
            }
        };
        is_wanted && self.number.holds_between(&ends)
    }

    fn words(&self) -> Phrase {
        let (verb, number) = self.number.in_words();
        let object = match &self.unit {
            WantedUnit::Any => number,
            WantedUnit::Named(name) => format!("{number} {name}"),
            WantedUnit::OfSystem(system) => format!("{number} in a unit of {system}"),
            WantedUnit::Coded { system, code } if system != UCUM => format!("{number} {code} of {system}"),
            WantedUnit::Coded { code, .. } | WantedUnit::Commensurable { code, .. } => format!("{number} {code}"),
        };
        (verb, object)
    }

    fn lookup(&self) -> Option<Lookup> {
        Some(Lookup::Range(match &self.unit {
            WantedUnit::Any => self.number.keys(&key_of_any()),
            WantedUnit::Named(name) => self.number.keys(&key_of_name(name)),
            WantedUnit::OfSystem(system) => self.number.keys(&key_of_system(system)),
            WantedUnit::Coded { system, code } => self.number.keys(&key_of_code(system, code)),
            WantedUnit::Commensurable { scale, in_base, .. } => in_base.keys(&key_of_kind(scale)),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Criterion;
    use crate::kind::{Fact, Kind};
    use fhir::ResourceType as T;
    use proptest::prelude::*;
    use proptest::sample::select;
    use std::collections::BTreeSet;

    fn read(element: &str) -> Vec<Quantity> {
        let mut found = Vec::new();
        Quantities::values_in_text(element, &mut |quantity| found.push(quantity));
        found
    }

    fn parsed(text: &str) -> Result<Vec<Criterion>, Issue> {
        let (resource_type, param) = (T::Observation, "value-quantity");
        let value = RawValue { resource_type, param, modifier: None, text, base: "", now: 0 };
        Kind::QUANTITY.criteria(&value)
    }

    fn finds(text: &str, element: &str) -> bool {
        let criteria = parsed(text).unwrap_or_else(|issue| panic!("{text}: {}", issue.text));
        let facts: Vec<Fact> = read(element).into_iter().map(Fact::from).collect();
        criteria.iter().any(|criterion| facts.iter().any(|fact| criterion.holds(fact)))
    }

    fn ucum(value: &str, code: &str) -> String {
        format!(r#"{{"value": {value}, "unit": "as said", "system": "{UCUM}", "code": "{code}"}}"#)
    }

    #[test]
    fn commensurable_units_of_ucum_are_compared() {
        let of = |text: &str, code: &str| format!("{text}|{UCUM}|{code}");
        for (text, code, value, stored, found) in [
            ("1.0", "g/L", "100", "mg/dL", true),
            ("1.0", "g/L", "95", "mg/dL", true),
            ("1.0", "g/L", "105", "mg/dL", false),
            ("gt1", "g/L", "100", "mg/dL", false),
            ("ge1", "g/L", "100.0", "mg/dL", true),
            ("lt1", "g/L", "99.9999", "mg/dL", true),
            ("ap98.6", "[degF]", "40", "Cel", true),
            ("7", "[pH]", "7", "1", false),
            ("5", "10*3/uL", "5", "10*9/L", true),
        ] {
            assert_eq!(finds(&of(text, code), &ucum(value, stored)), found, "{text} {code} of {value} {stored}");
        }
        let other = r#"{"value": 1000, "system": "http://other", "code": "mg"}"#;
        assert!(!finds(&of("1", "g"), other) && !finds("1||g", &ucum("1000", "mg")));
        let huge = "123456789012345678e100";
        assert!(
            finds(&of(huge, "mm[Hg]"), &ucum(huge, "mm[Hg]")),
            "a number that cannot be converted compares as it is"
        );
    }

    #[test]
    fn comparators_ranges_and_money_are_intervals_with_a_unit() {
        let range = r#"{"low": {"value": 40, "unit": "a"}, "high": {"value": 50, "unit": "a"}}"#;
        for (text, found) in
            [("ge49||a", true), ("ge50||a", false), ("gt50", false), ("lt41", true), ("45", false), ("ap38", true)]
        {
            assert_eq!(finds(text, range), found, "{text}");
        }
        assert!(finds("ge50||a", r#"{"low": {"value": 40, "unit": "a"}}"#));
        let money = r#"{"value": 12.50, "currency": "EUR"}"#;
        assert!(finds("12.5|urn:iso:std:iso:4217|EUR", money) && finds("12.50||EUR", money));
        for element in [
            "5",
            "[]",
            "{}",
            r#"{"unit": "mg"}"#,
            r#"{"value": "5"}"#,
            r#"{"value": 5, "comparator": "ad"}"#,
            r#"{"value": 5, "comparator": 7}"#,
            r#"{"value": 1234567890123456789}"#,
            r#"{"origin": {"value": 0}, "period": 10, "dimensions": 1, "data": "1 2"}"#,
        ] {
            assert_eq!(read(element), [], "{element}");
        }
    }

    #[test]
    fn a_quantity_is_described_once() {
        let words = |text: &str| {
            let all: BTreeSet<_> = parsed(text).unwrap().iter().map(Criterion::words).collect();
            all.into_iter().map(|(verb, object)| format!("{verb} {object}")).collect::<Vec<_>>()
        };
        assert_eq!(words("5.4|http://unitsofmeasure.org|mg/dL"), ["lies within 5.35 up to 5.45 mg/dL"]);
        assert_eq!(words("gt5.4|http://other|mg"), ["is greater than 5.4 mg of http://other"]);
        assert_eq!(words("le1e2||mg"), ["is 100 mg", "is less than 100 mg"]);
        assert_eq!(words("sa2|http://other|"), ["lies above 2 in a unit of http://other"]);
    }

    proptest! {
        #[test]
        fn the_keys_of_a_criterion_are_those_of_the_quantities_that_satisfy_it(
            value in select(vec!["0", "0.1", "1", "95", "100", "105", "1000"]),
            stored in select(vec!["mg", "g", "mg/dL", "[pH]", "%", "Cel", ""]),
            system in select(vec![UCUM, "http://other", ""]),
            text in select(vec!["1", "ge100", "ne0.1", "lt100", "ap1000", "sa1", "eb0"]),
            unit in select(vec!["", "||mg", "||as said", "|http://other|mg", "|http://unitsofmeasure.org|g",
                "|http://unitsofmeasure.org|", "|http://unitsofmeasure.org|g/L", "|http://unitsofmeasure.org|[pH]",
                "|http://unitsofmeasure.org|[degF]"]),
        ) {
            let element = ucum(value, stored).replace(UCUM, system);
            let quantity = read(&element).remove(0);
            let keys = Quantities.keys(&quantity);
            for criterion in parsed(&format!("{text}{unit}")).unwrap() {
                let lookups = criterion.lookups();
                let [range @ Lookup::Range(_)] = &lookups[..] else { panic!("{criterion:?} looks up no range") };
                let is_found = keys.iter().any(|key| range.finds(key));
                prop_assert_eq!(is_found, criterion.holds(&quantity.clone().into()), "{:?} {}", criterion, element);
            }
        }
    }
}
