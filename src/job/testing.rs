//! Helpers for tests of jobs: the report of kinds that add numbers, and a database and a queue for an engine.

#![cfg(test)]

use std::cell::RefCell;

use serde::{Deserialize, Serialize};

use super::{Message, Queue, Report, StorageError};
use sqlite::{SqliteDatabase, tables};

/// The report of kinds that add numbers.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sum {
    pub sum: u64,
    pub faults: Vec<String>,
}

impl Report for Sum {
    fn given_up(part: Option<usize>) -> Self {
        Self { sum: 0, faults: vec![format!("{part:?} was given up")] }
    }

    fn stopped() -> Self {
        Self { sum: 0, faults: vec!["stopped".to_owned()] }
    }

    fn and(self, other: Self) -> Self {
        Self { sum: self.sum + other.sum, faults: [self.faults, other.faults].concat() }
    }

    fn has_faults(&self) -> bool {
        !self.faults.is_empty()
    }
}

/// A queue that keeps its messages.
#[derive(Debug, Default)]
pub struct Messages(pub RefCell<Vec<Message>>);

impl Queue for Messages {
    async fn send(&self, messages: Vec<Message>) -> Result<(), StorageError> {
        self.0.borrow_mut().extend(messages);
        Ok(())
    }
}

/// Makes a database with all tables.
pub fn database() -> SqliteDatabase {
    SqliteDatabase::new(tables(rusqlite::Connection::open_in_memory().unwrap()).unwrap())
}
