//! Units of measure by their codes in UCUM (<https://ucum.org/ucum>), so that numbers in commensurable units can be
//! compared: milligrams per decilitre with grams per litre.
//!
//! A code is read with the atoms of `src/search/tables/ucum.tsv`. A code with another atom, or one that needs a number
//! without a finite decimal expansion, is not read, and is compared as written. Annotations in braces have no meaning,
//! as in UCUM. Unlike in UCUM, amounts of substance are not numbers, so that moles are only compared with moles.

use std::sync::LazyLock;

use fhir::{Decimal, WideDecimal, columns, lines};

/// The system of UCUM's codes.
pub const UCUM: &str = "http://unitsofmeasure.org";

/// The number of base units: the lines of the table without a definition.
const BASES: usize = 9;
/// The position of the second among the base units.
const SECOND: usize = 2;
/// The longest code that is read, in bytes.
const MAX_LENGTH: usize = 100;
/// The largest power of a unit.
const MAX_POWER: i8 = 20;
/// The primes besides 2 and 5 in minutes, hours, days and weeks. The reciprocal of such a unit has a finite decimal
/// expansion as a number of reciprocals of this many seconds.
const OF_TIMES: i64 = 3 * 3 * 3 * 7;

/// The power of each base unit.
type Dimension = [i8; BASES];

/// A unit in base units. Units with the same dimension are commensurable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scale {
    dimension: Dimension,
    factor: WideDecimal,
    offset: WideDecimal,
}

impl Scale {
    /// Returns the scale of a unit. `None` if its code cannot be read.
    pub fn of(code: &str) -> Option<Self> {
        if code.is_empty() || code.len() > MAX_LENGTH {
            return None;
        }
        match ATOMS.iter().find(|atom| atom.code == code && !atom.is_proportional()) {
            Some(atom) => atom.measure.scale(atom.offset),
            None => read(code, &ATOMS)?.scale(WideDecimal::new(0, 0)),
        }
    }

    /// Returns whether numbers in the two units can be compared.
    pub fn is_commensurable(&self, other: &Self) -> bool {
        self.dimension == other.dimension
    }

    /// Converts a number of the unit to base units. `None` if the result has too many digits.
    pub fn in_base(&self, number: WideDecimal) -> Option<WideDecimal> {
        number.times(self.factor)?.plus(self.offset)
    }

    /// Returns a text that is the same for all commensurable units.
    pub fn kind(&self) -> String {
        let powers: Vec<_> = self.dimension.iter().map(i8::to_string).collect();
        powers.join(" ")
    }
}

/// A unit without powers, factors or prefixes.
struct Atom {
    code: &'static str,
    /// True if the atom accepts prefixes.
    is_metric: bool,
    measure: Measure,
    /// The number that is added to a value in base units.
    offset: WideDecimal,
}

impl Atom {
    fn is_proportional(&self) -> bool {
        self.offset == WideDecimal::new(0, 0)
    }
}

static ATOMS: LazyLock<Vec<Atom>> = LazyLock::new(|| {
    let mut atoms: Vec<Atom> = Vec::new();
    let mut bases = 0;
    for [code, metric, factor, unit, offset, ..] in lines(include_str!("tables/ucum.tsv")).map(columns) {
        let measure = if factor.is_empty() {
            bases += 1;
            Some(Measure::base(bases - 1))
        } else {
            let unit = if unit.is_empty() { Some(Measure::ONE) } else { read(unit, &atoms) };
            Decimal::parse(factor).zip(unit).and_then(|(factor, unit)| Measure::number(factor).times(unit))
        };
        let offset = Decimal::parse(offset).map_or(WideDecimal::new(0, 0), WideDecimal::from);
        atoms.extend(measure.map(|measure| Atom { code, is_metric: metric == "*", measure, offset }));
    }
    atoms
});

/// The prefixes of metric atoms, and their powers of ten.
const PREFIXES: [(&str, i32); 20] = [
    ("Y", 24),
    ("Z", 21),
    ("E", 18),
    ("P", 15),
    ("T", 12),
    ("G", 9),
    ("M", 6),
    ("k", 3),
    ("h", 2),
    ("da", 1),
    ("d", -1),
    ("c", -2),
    ("m", -3),
    ("u", -6),
    ("n", -9),
    ("p", -12),
    ("f", -15),
    ("a", -18),
    ("z", -21),
    ("y", -24),
];

/// A factor of base units: a fraction in lowest terms, times a power of ten.
#[derive(Debug, Clone, Copy)]
struct Measure {
    dimension: Dimension,
    numerator: i64,
    denominator: i64,
    exponent: i32,
}

impl Measure {
    const ONE: Self = Self { dimension: [0; BASES], numerator: 1, denominator: 1, exponent: 0 };

    /// Returns the base unit at that position.
    fn base(at: usize) -> Self {
        Self { dimension: std::array::from_fn(|place| i8::from(place == at)), ..Self::ONE }
    }

    const fn number(number: Decimal) -> Self {
        let (mantissa, exponent) = number.parts();
        Self { numerator: mantissa, exponent: exponent as i32, ..Self::ONE }
    }

    fn times(self, other: Self) -> Option<Self> {
        let [one, two] = [gcd(self.numerator, other.denominator), gcd(other.numerator, self.denominator)];
        let mut dimension = self.dimension;
        for (power, added) in dimension.iter_mut().zip(other.dimension) {
            *power = power.checked_add(added)?;
        }
        Some(Self {
            dimension,
            numerator: (self.numerator / one).checked_mul(other.numerator / two)?,
            denominator: (self.denominator / two).checked_mul(other.denominator / one)?,
            exponent: self.exponent.checked_add(other.exponent)?,
        })
    }

    /// Returns the reciprocal of a non-zero measure.
    fn reciprocal(self) -> Self {
        Self {
            dimension: self.dimension.map(i8::wrapping_neg),
            numerator: self.denominator,
            denominator: self.numerator,
            exponent: self.exponent.wrapping_neg(),
        }
    }

    fn to_power(self, power: i8) -> Option<Self> {
        if power.unsigned_abs() > MAX_POWER.unsigned_abs() {
            return None;
        }
        let each = if power < 0 { self.reciprocal() } else { self };
        (0..power.unsigned_abs()).try_fold(Self::ONE, |product, _| product.times(each))
    }

    /// Returns the scale. `None` if the factor has no finite decimal expansion.
    fn scale(self, offset: WideDecimal) -> Option<Scale> {
        let mut factor = WideDecimal::new(self.numerator.into(), self.exponent);
        let mut rest = self.denominator;
        let per_time = self.dimension.get(SECOND).map_or(0, |power| power.min(&0).unsigned_abs());
        for _ in 0..per_time {
            let common = gcd(rest, OF_TIMES);
            rest /= common;
            factor = factor.times(WideDecimal::new((OF_TIMES / common).into(), 0))?;
        }
        for (prime, tenths) in [(2, 5), (5, 2)] {
            while rest % prime == 0 {
                rest /= prime;
                factor = factor.times(WideDecimal::new(tenths, -1))?;
            }
        }
        (rest == 1).then_some(Scale { dimension: self.dimension, factor, offset })
    }
}

/// Returns the greatest common divisor of two positive numbers.
const fn gcd(mut one: i64, mut other: i64) -> i64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// Parses a code that consists of these atoms.
fn read(code: &str, atoms: &[Atom]) -> Option<Measure> {
    let code = without_annotations(code)?;
    let mut rest = code.as_str();
    let measure = term(&mut rest, atoms, 0)?;
    rest.is_empty().then_some(measure)
}

/// Returns the code without annotations. An annotation that replaces a unit is the number 1.
fn without_annotations(code: &str) -> Option<String> {
    let mut left = String::with_capacity(code.len());
    let mut rest = code;
    while let Some((before, annotated)) = rest.split_once('{') {
        left.push_str(before);
        if left.is_empty() || left.ends_with(['.', '/', '(']) {
            left.push('1');
        }
        rest = annotated.split_once('}')?.1;
    }
    left.push_str(rest);
    Some(left)
}

/// Parses units separated by `.` and `/`, up to the end or a closing parenthesis.
fn term(rest: &mut &str, atoms: &[Atom], depth: u8) -> Option<Measure> {
    let mut product = Measure::ONE;
    let mut divides = rest.starts_with('/');
    if divides {
        *rest = rest.get(1..)?;
    }
    loop {
        let factor = if let Some(inside) = rest.strip_prefix('(').filter(|_| depth < 3) {
            *rest = inside;
            let inner = term(rest, atoms, depth + 1)?;
            *rest = rest.strip_prefix(')')?;
            inner
        } else {
            let (own, behind) = rest.split_at_checked(rest.find(['.', '/', '(', ')']).unwrap_or(rest.len()))?;
            *rest = behind;
            component(own, atoms)?
        };
        product = product.times(if divides { factor.reciprocal() } else { factor })?;
        divides = rest.starts_with('/');
        match rest.strip_prefix(['.', '/']) {
            Some(behind) => *rest = behind,
            None => return Some(product),
        }
    }
}

/// Parses an atom with its prefix and its power, or a whole number.
fn component(text: &str, atoms: &[Atom]) -> Option<Measure> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Decimal::parse(text).filter(|number| number.parts().0 > 0).map(Measure::number);
    }
    let name = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let name = if name.len() < text.len() { name.strip_suffix(['+', '-']).unwrap_or(name) } else { name };
    let power = match text.get(name.len()..)? {
        "" => 1,
        power => power.parse().ok()?,
    };
    let atom = |code: &str| atoms.iter().find(|atom| atom.code == code && atom.is_proportional());
    let prefixed = |(prefix, exponent): &(&str, i32)| {
        let atom = atom(name.strip_prefix(*prefix)?).filter(|atom| atom.is_metric)?;
        Some(Measure { exponent: atom.measure.exponent + exponent, ..atom.measure })
    };
    let whole = atom(name).map(|atom| atom.measure);
    whole.or_else(|| PREFIXES.iter().find_map(prefixed))?.to_power(power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scale(code: &str) -> Scale {
        Scale::of(code).unwrap_or_else(|| panic!("{code} is a unit"))
    }

    fn in_base(number: &str, code: &str) -> WideDecimal {
        scale(code).in_base(Decimal::parse(number).unwrap().into()).unwrap()
    }

    #[test]
    fn every_line_of_the_table_is_an_atom() {
        let table: Vec<_> = lines(include_str!("tables/ucum.tsv")).map(columns).collect();
        assert_eq!(ATOMS.len(), table.len());
        assert_eq!(table.iter().filter(|[_, _, factor, ..]| factor.is_empty()).count(), BASES);
        assert_eq!(ATOMS[SECOND].code, "s");
        for atom in ATOMS.iter() {
            let named = table.iter().filter(|[code, ..]| *code == atom.code).count();
            assert_eq!(named, 1, "{}", atom.code);
            assert!(Scale::of(atom.code).is_some(), "{}", atom.code);
            assert!(atom.measure.numerator > 0 && atom.measure.denominator > 0, "{}", atom.code);
        }
    }

    #[test]
    fn equal_quantities_are_the_same_number_of_base_units() {
        for (one, other) in [
            ("100 mg/dL", "1 g/L"),
            ("1 g", "1000 mg"),
            ("0.5 kg", "500000000 ug"),
            ("1 mmol/L", "1000 umol/L"),
            ("1 mmol/L", "1 mol/m3"),
            ("1 mmol/L", "1 meq/L"),
            ("5 10*3/uL", "5 10*9/L"),
            ("5 10*3/uL", "5000 /uL"),
            ("5 10*3/uL", "5 10^3/uL"),
            ("72 /min", "72 {beats}/min"),
            ("1 /min", "60 /h"),
            ("7 /wk", "1 /d"),
            ("120 mL/min", "7.2 L/h"),
            ("90 mL/min/{1.73_m2}", "0.09 L/min"),
            ("37 Cel", "98.6 [degF]"),
            ("-40 Cel", "-40 [degF]"),
            ("0 Cel", "273.15 K"),
            ("1 mm[Hg]", "133.322 Pa"),
            ("1 kPa", "10 mbar"),
            ("1 [lb_av]", "16 [oz_av]"),
            ("1 [lb_av]", "453.59237 g"),
            ("1 [ft_i]", "30.48 cm"),
            ("1 m", "1000 mm"),
            ("1 L", "1 dm3"),
            ("1 mL", "1 cm3"),
            ("1 [gal_us]", "768 [tsp_us]"),
            ("1 a", "12 mo"),
            ("1 wk", "168 h"),
            ("50 %", "500 [ppth]"),
            ("48 mmol/mol", "4.8 %"),
            ("1 [IU]/mL", "1 k[IU]/L"),
            ("1 [IU]/mL", "1000 [iU]/L"),
            ("1 U/L", "1 umol/min/L"),
            ("1 U/L", "1 umol/(min.L)"),
            ("25 kg/m2", "2.5 g/cm2"),
            ("1 J", "1 kg.m2.s-2"),
            ("1 kcal", "4184 J"),
            ("1 g%", "10 g/L"),
            ("3 {score}", "3 1"),
            ("1 Gy", "1 J/kg"),
            ("1 mg{total}/dL{blood}", "10 mg/L"),
        ] {
            let [one_base, other_base] = [one, other].map(|text| {
                let (number, code) = text.split_once(' ').unwrap();
                (in_base(number, code), scale(code).kind())
            });
            assert_eq!(one_base, other_base, "{one} and {other}");
            assert!(scale(one.split_once(' ').unwrap().1).is_commensurable(&scale(other.split_once(' ').unwrap().1)));
        }
    }

    #[test]
    fn units_of_other_kinds_are_not_commensurable() {
        for (one, other) in [
            ("mg", "mmol"),
            ("mg/dL", "mg"),
            ("g", "m"),
            ("U", "[IU]"),
            ("mmol/L", "/L"),
            ("[IU]/L", "[arb'U]/L"),
            ("Cel", "m"),
            ("/min", "min"),
        ] {
            assert!(!scale(one).is_commensurable(&scale(other)), "{one} and {other}");
        }
    }

    #[test]
    fn what_is_no_unit_or_has_no_end_is_not_read() {
        let all = "mmHg mg%dL [pH] mg/ mg//dL / mg. (mg mg) mg{ mg} kCel Cel/m mlb k[lb_av] kmin g200 \
            m99999999999 0 mg/0 é m- +2 /[lb_av] /mo ((((m)))) 2.5g deg MG"
            .split(' ')
            .chain(["", "m g"]);
        for code in all {
            assert_eq!(Scale::of(code), None, "{code}");
        }
        assert_eq!(Scale::of(&"m.".repeat(60)), None);
        assert_eq!(Scale::of("Ym20.Ym20.Ym20.Ym20.Ym20.Ym20.Ym20"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_not(code in "[mgLdCK/.(){}0-9*%\\[\\]+-]{0,12}", number in -1_000_i32..1_000) {
            let number = Decimal::parse(&number.to_string()).unwrap().into();
            if let Some(scale) = Scale::of(&code) {
                prop_assert!(scale.in_base(number).is_none_or(|base| base.cmp(&scale.offset) == number.cmp(&WideDecimal::new(0, 0))));
                prop_assert!(scale.is_commensurable(&scale));
            }
        }
    }
}
