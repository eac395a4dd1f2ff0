//! A life as a list of visits: check-ups, short illnesses, chronic conditions and stays in a hospital.

use super::calendar::{Day, Moment, plus_days};
use super::chart::Chart;
use super::conditions::{ACUTE, Acute, CHRONIC, Chronic, STAYS, Stay};

/// The number of years for which check-ups are recorded.
const YEARS_OF_CHECK_UPS: i64 = 11;
/// The number of years for which short illnesses are recorded.
const YEARS_OF_ILLNESS: i64 = 16;
/// The number of years for which visits for chronic conditions are recorded.
const YEARS_FOLLOWED: i64 = 9;

/// The reason of a visit.
#[derive(Clone, Copy)]
pub(super) enum Reason {
    CheckUp,
    Illness(&'static Acute),
    /// The chronic condition of that number is found.
    Onset(usize),
    /// The condition is followed up, for the last time or not.
    FollowUp(usize, bool),
    Stay(&'static Stay),
}

/// A visit that will be written.
#[derive(Clone, Copy)]
pub(super) struct Visit {
    pub(super) at: Moment,
    pub(super) reason: Reason,
}

/// A chronic condition that the patient has, or had.
pub(super) struct Problem {
    pub(super) of: &'static Chronic,
    pub(super) onset: Day,
    pub(super) abated: Option<Day>,
    /// The reference of its Condition, once that is written.
    pub(super) condition: Option<String>,
}

/// Draws the patient's problems and visits; the visits in their order.
pub(super) fn draw(chart: &mut Chart<'_>) -> (Vec<Problem>, Vec<Visit>) {
    let mut visits = Vec::new();
    let problems = problems(chart);
    check_ups(chart, &mut visits);
    illnesses(chart, &mut visits);
    for (number, problem) in problems.iter().enumerate() {
        follow(chart, number, problem, &mut visits);
    }
    stays(chart, &mut visits);
    let last = chart.end;
    visits.retain(|visit| visit.at.day < last);
    visits.sort_by_key(|visit| visit.at);
    (problems, visits)
}

fn at(chart: &mut Chart<'_>, day: Day, reason: Reason) -> Visit {
    let quarter = u32::try_from(chart.sheet.random.between(0, 35)).unwrap_or_default();
    Visit { at: Moment { day, minute: 480 + 15 * quarter }, reason }
}

fn problems(chart: &mut Chart<'_>) -> Vec<Problem> {
    let age = chart.age(chart.end);
    let mut problems = Vec::new();
    for of in CHRONIC {
        let random = &mut chart.sheet.random;
        if age < of.from || !random.chance(of.percent) {
            continue;
        }
        // It comes at any age up to seventy-five; later than the record ends, it never came.
        let years = random.between(of.from, 75);
        let onset = plus_days(chart.birth, years * 365 + random.between(0, 364));
        if onset >= chart.end {
            continue;
        }
        let abated = plus_days(onset, random.between(200, 3000));
        let abated = (random.chance(15) && abated < chart.end).then_some(abated);
        problems.push(Problem { of, onset, abated, condition: None });
    }
    problems
}

fn check_ups(chart: &mut Chart<'_>, visits: &mut Vec<Visit>) {
    const INFANT: [i64; 9] = [30, 61, 122, 183, 274, 365, 457, 548, 730];
    let kept = plus_days(chart.end, -365 * YEARS_OF_CHECK_UPS);
    for age in INFANT {
        let day = plus_days(chart.birth, age);
        if day > kept {
            let visit = at(chart, day, Reason::CheckUp);
            visits.push(visit);
        }
    }
    let mut day = plus_days(chart.birth, 3 * 365);
    while day < chart.end {
        let age = chart.age(day);
        if day > kept {
            let visit = at(chart, day, Reason::CheckUp);
            visits.push(visit);
        }
        let gap = match age {
            0..=17 => 365,
            18..=49 => chart.sheet.random.between(510, 1100),
            _ => chart.sheet.random.between(340, 400),
        };
        day = plus_days(day, gap);
    }
}

fn illnesses(chart: &mut Chart<'_>, visits: &mut Vec<Visit>) {
    let mut day = chart.birth.max(plus_days(chart.end, -365 * YEARS_OF_ILLNESS));
    loop {
        day = plus_days(day, chart.sheet.random.between(60, 1100));
        if day >= chart.end {
            return;
        }
        let age = chart.age(day);
        let acute = chart.sheet.random.pick(ACUTE);
        if (acute.ages.0..=acute.ages.1).contains(&age) {
            let visit = at(chart, day, Reason::Illness(acute));
            visits.push(visit);
        }
    }
}

fn follow(chart: &mut Chart<'_>, number: usize, problem: &Problem, visits: &mut Vec<Visit>) {
    let onset = at(chart, problem.onset, Reason::Onset(number));
    visits.push(onset);
    let until = problem.abated.unwrap_or(chart.end);
    let from = problem.onset.max(plus_days(chart.end, -365 * YEARS_FOLLOWED));
    let gap = problem.of.months * 30;
    let mut day = plus_days(from, gap + chart.sheet.random.between(-14, 14));
    while day < until {
        let next = plus_days(day, gap + chart.sheet.random.between(-14, 14));
        let visit = at(chart, day, Reason::FollowUp(number, next >= until));
        visits.push(visit);
        day = next;
    }
}

fn stays(chart: &mut Chart<'_>, visits: &mut Vec<Visit>) {
    for stay in STAYS {
        if !chart.sheet.random.chance(20) {
            continue;
        }
        let age = chart.sheet.random.between(stay.ages.0, stay.ages.1);
        let day = plus_days(chart.birth, age * 365 + chart.sheet.random.between(40, 364));
        if plus_days(day, stay.nights + 1) < chart.end {
            let visit = at(chart, day, Reason::Stay(stay));
            visits.push(visit);
        }
    }
}
