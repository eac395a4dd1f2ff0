//! Scopes in words for patients, as the consent page, the browser and the command line show them. `search/describe.rs`
//! does the same for queries.

use super::compartment::is_directory;
use super::scope::{Level, ResourceScope, Scope, wildcard};
use crate::fhir::ResourceType as T;

impl Scope {
    /// A sentence about what the scope allows, without its full stop.
    #[must_use]
    pub fn says(&self) -> String {
        match self {
            Self::Resource(scope) => scope.says(),
            Self::Other(name) => other(name).to_owned(),
        }
    }
}

fn other(name: &str) -> &'static str {
    match name {
        "openid" => "Know who you are, by signing you in",
        "fhirUser" => "Know which record describes you, a patient's or a practitioner's, and read that one",
        "profile" => "Know your profile; it opens nothing further here",
        "launch" => "Start from within a medical record, with what is open there",
        "launch/patient" => "Have you choose the patient whom it is about",
        "offline_access" => "Stay connected while you do not use it, for 90 days at most",
        "online_access" => "Stay connected as long as you are signed in",
        "metrics" => "See how the server is doing",
        _ => "Something that opens no records",
    }
}

impl ResourceScope {
    fn says(&self) -> String {
        let verb = match (self.read, self.search) {
            (true, true) => "Read",
            (true, false) => "Read, one by one and not by searching,",
            (false, true) => "Search",
            (false, false) => {
                return format!("Change {}; it opens nothing here, where records are only read", self.what());
            }
        };
        let conditions: Vec<_> = self.only.iter().map(crate::search::Clause::in_short).collect();
        let whose =
            if conditions.is_empty() { String::new() } else { format!(" whose {}", conditions.join(" and whose ")) };
        format!("{verb} {}{whose}{}", self.what(), self.of())
    }

    fn what(&self) -> String {
        match self.kind {
            Some(kind) => kind.title().to_owned(),
            None => {
                let all: Vec<_> = wildcard(self.level).map(T::title).collect();
                format!("{} kinds of records ({})", all.len(), all.join(", "))
            }
        }
    }

    /// The patients, as a part of the sentence. It is empty for the patient in context.
    const fn of(&self) -> &'static str {
        match (self.level, self.kind) {
            (_, Some(kind)) if is_directory(kind) => "",
            (Level::Patient, _) => "",
            (Level::User, _) => ", of every patient whom you may see",
            (Level::System, _) => ", of all patients",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(scope: &str) -> String {
        Scope::parse(scope).unwrap().says()
    }

    #[test]
    fn scopes_are_said_in_words() {
        for (scope, said) in [
            ("patient/Observation.read", "Read Observations"),
            ("patient/Observation.rs?category=http://s|laboratory", "Read Observations whose category is laboratory"),
            (
                "patient/Observation.rs?category=laboratory,survey&status=final",
                "Read Observations whose category is laboratory or survey and whose status is final",
            ),
            ("patient/Condition.r", "Read, one by one and not by searching, Conditions"),
            ("user/Condition.s", "Search Conditions, of every patient whom you may see"),
            ("system/Condition.read", "Read Conditions, of all patients"),
            ("user/Practitioner.read", "Read Practitioners"),
            ("patient/Condition.write", "Change Conditions; it opens nothing here, where records are only read"),
            ("openid", "Know who you are, by signing you in"),
        ] {
            assert_eq!(says(scope), said, "{scope}");
        }
        let all = says("patient/*.read");
        assert!(all.starts_with("Read 22 kinds of records (Patient Details, Allergies"), "{all}");
        assert!(!all.contains("Dispensed") && says("system/*.rs").contains("Files"));
    }
}
