//! Tests of kinds of jobs that conclude.

#![cfg(test)]

use std::cell::{Cell, RefCell};
use std::ops::Range;

use super::testing::{Messages, Sum, database};
use super::*;
use sqlite::SqliteDatabase;
use sqlite::now;

/// Jobs whose parts are numbers. Parts are added until the sum of all parts is the parameter of the job.
#[derive(Debug)]
struct Rounds;

impl Kind for Rounds {
    type Parameters = u64;
    type Notes = u64;
    type Contents = u64;
    type Report = Sum;

    const NAME: &'static str = "rounds";
    const STORES_RECORDS: bool = false;
    const CONCLUDES: bool = true;
    const MAX_WAITING: Backlog = Backlog { jobs: 8, bytes: u64::MAX, parts: u64::MAX };
    const PREFIXES: &'static [&'static str] = &[];

    fn message(job: String, part: Option<usize>) -> Message {
        Message::Export { job, part }
    }

    fn bytes(_: &u64) -> u64 {
        0
    }

    async fn finish_job(bucket: &impl Bucket, job: &JobOf<Self>, parts: Vec<PartOf<Self>>) -> Result<(), JobError> {
        let status = JobStatus::of::<Self>(job, parts);
        Ok(bucket.write(&job.id, status.report.sum.to_string().into_bytes()).await?)
    }

    async fn forget(_: &impl Bucket, _: &[(String, u64)]) -> Result<(), JobError> {
        Ok(())
    }
}

/// The work, which fails to conclude this number of times.
#[derive(Default)]
struct Add {
    failures: Cell<usize>,
    conclusions: Cell<usize>,
}

impl Work<Rounds> for Add {
    type Input = ();
    type Details = ();

    async fn plan(&self, _: &JobOf<Rounds>) -> Result<Plan<Rounds, ()>, JobError> {
        Ok(Plan::Parts { parts: vec![1, 2], notes: 0, report: Sum::default() })
    }

    async fn run(
        &self,
        _: &JobOf<Rounds>,
        part: &PartOf<Rounds>,
        _: Option<()>,
    ) -> Result<PartResult<Sum, ()>, JobError> {
        let sum = part.contents.unwrap_or_default();
        Ok(PartResult { report: Sum { sum, faults: Vec::new() }, corrects: false, details: () })
    }

    async fn conclude(&self, job: &JobOf<Rounds>, parts: &[PartOf<Rounds>]) -> Result<Conclusion<u64>, JobError> {
        self.conclusions.set(self.conclusions.get() + 1);
        if let Some(left) = self.failures.get().checked_sub(1) {
            self.failures.set(left);
            return Err(JobError("it cannot be concluded".to_owned()));
        }
        let sum: u64 = parts.iter().filter_map(|part| part.report.as_ref()).map(|report| report.sum).sum();
        let left = job.parameters.saturating_sub(sum);
        Ok(if left == 0 { Conclusion::Ended } else { Conclusion::Further(vec![1, left.min(4) - 1]) })
    }
}

#[derive(Debug, Default)]
struct Written(RefCell<Vec<String>>);

impl Bucket for Written {
    async fn info(&self, _: &str) -> Result<Option<ObjectInfo>, StorageError> {
        Ok(None)
    }

    async fn read(&self, _: &str, _: Range<u64>) -> Result<Option<Vec<u8>>, StorageError> {
        Ok(None)
    }

    async fn write(&self, _: &str, bytes: Vec<u8>) -> Result<(), StorageError> {
        self.0.borrow_mut().push(String::from_utf8(bytes).unwrap());
        Ok(())
    }

    async fn delete(&self, _: Vec<String>) -> Result<(), StorageError> {
        Ok(())
    }
}

type Rounded<'d> = Engine<&'d SqliteDatabase, Written, Messages, Rounds>;

fn engine(database: &SqliteDatabase) -> Rounded<'_> {
    Engine::new(database, Written::default(), Messages::default(), 1)
}

fn begun(engine: &Rounded<'_>, sum: u64, work: &Add) -> JobOf<Rounds> {
    let job = now(engine.add(&Job::new(format!("j{sum}"), Some("c".to_owned()), sum, 1), None)).unwrap().unwrap();
    assert!(matches!(now(engine.go_on(job.clone(), work)), Ok(Progress::Divided { parts: 2, .. })));
    now(engine.job(&job.id)).unwrap().unwrap()
}

fn status(engine: &Rounded<'_>, id: &str) -> (&'static str, usize, Sum) {
    let status = now(engine.status("c", id)).unwrap().unwrap();
    (status.status, status.parts_done, status.report)
}

fn sum(sum: u64) -> Sum {
    Sum { sum, faults: Vec::new() }
}

/// Receives messages, each twice, until none is left.
fn settle(engine: &Rounded<'_>, work: &Add) {
    loop {
        let next = engine.queue.0.borrow_mut().pop();
        let Some(Message::Export { job, part: Some(part) }) = next else { return };
        if now(engine.run_part(&job, part, work)).is_err() {
            engine.queue.0.borrow_mut().insert(0, Message::Export { job, part: Some(part) });
            continue;
        }
        now(engine.run_part(&job, part, work)).unwrap();
    }
}

#[test]
fn a_job_gets_further_parts_until_it_is_concluded() {
    let database = database();
    let (engine, work) = (engine(&database), Add::default());
    let job = begun(&engine, 13, &work);
    settle(&engine, &work);
    // The parts are one of 3, and three times two parts of 4, 4 and 2.
    assert_eq!(status(&engine, &job.id), ("completed", 8, sum(13)));
    assert_eq!(work.conclusions.get(), 4);
    assert!(engine.bucket.0.borrow().iter().all(|written| written == "13"));

    // A job without further parts ends at once.
    let three = begun(&engine, 3, &work);
    settle(&engine, &work);
    assert_eq!((status(&engine, &three.id), work.conclusions.get()), (("completed", 2, sum(3)), 5));
}

#[test]
fn what_failed_to_conclude_is_concluded_by_the_same_message_or_by_that_of_the_job() {
    let database = database();
    let (engine, work) = (engine(&database), Add { failures: Cell::new(2), ..Add::default() });
    let job = begun(&engine, 3, &work);
    settle(&engine, &work);
    assert_eq!((status(&engine, &job.id), work.conclusions.get()), (("completed", 2, sum(3)), 3));

    work.failures.set(1);
    let other = begun(&engine, 5, &work);
    now(engine.run_part(&other.id, 1, &work)).unwrap();
    assert!(now(engine.run_part(&other.id, 2, &work)).is_err());
    engine.queue.0.borrow_mut().clear();
    assert_eq!(status(&engine, &other.id), ("in-progress", 2, sum(3)));
    assert!(matches!(now(engine.go_on(other.clone(), &work)), Ok(Progress::Divided { parts: 2, .. })));
    settle(&engine, &work);
    assert_eq!(status(&engine, &other.id), ("completed", 4, sum(5)));
}

#[test]
fn what_cannot_be_concluded_is_given_up() {
    let database = database();
    let (engine, work) = (engine(&database), Add { failures: Cell::new(9), ..Add::default() });
    let job = begun(&engine, 3, &work);
    // Giving up the message of one part does not end parts that other messages still do.
    now(engine.run_part(&job.id, 1, &work)).unwrap();
    now(engine.give_up(&job, Some(1))).unwrap();
    assert_eq!(status(&engine, &job.id), ("in-progress", 1, sum(1)));
    assert!(now(engine.run_part(&job.id, 2, &work)).is_err());
    now(engine.give_up(&job, Some(2))).unwrap();
    let (ended, _, report) = status(&engine, &job.id);
    assert_eq!((ended, report.faults.len(), report.sum), ("completed-with-faults", 1, 3));

    // Giving up the last part ends the job, which is not concluded.
    work.failures.set(0);
    let other = begun(&engine, 9, &work);
    now(engine.run_part(&other.id, 1, &work)).unwrap();
    now(engine.give_up(&other, Some(2))).unwrap();
    assert_eq!(status(&engine, &other.id).2, Sum::given_up(Some(2)).and(sum(1)));
    assert_eq!(now(engine.run_part(&other.id, 2, &work)), Ok(Progress::None));
}

#[test]
fn parts_are_not_added_to_a_job_that_has_others_meanwhile_or_has_ended() {
    let database = database();
    let (engine, work) = (engine(&database), Add { failures: Cell::new(1), ..Add::default() });
    let job = begun(&engine, 7, &work);
    now(engine.run_part(&job.id, 1, &work)).unwrap();
    assert!(now(engine.run_part(&job.id, 2, &work)).is_err());
    // Both parts are concluded by messages that arrive twice. The first message adds parts, and the others find them.
    now(engine.run_part(&job.id, 2, &work)).unwrap();
    now(engine.run_part(&job.id, 1, &work)).unwrap();
    now(engine.go_on(job.clone(), &work)).unwrap();
    settle(&engine, &work);
    assert_eq!(status(&engine, &job.id), ("completed", 4, sum(7)));
}

#[test]
fn a_kind_says_how_many_of_its_jobs_may_wait() {
    let database = database();
    let engine = engine(&database);
    let add = |client: &str, sum: u64| {
        now(engine.add(&Job::new(format!("j{sum}"), Some(client.to_owned()), sum, 1), None)).unwrap()
    };
    for sum in [3, 4] {
        assert_eq!(now(engine.admit("c", None)), Ok(None));
        assert!(add("c", sum).is_some());
    }
    assert_eq!(now(engine.admit("c", None)), Ok(Some(JobAnswer::Busy)), "it has a quarter of all");
    assert!(add("c", 5).is_none(), "another request may have been faster");
    assert!(add("c", 4).is_some(), "a known job is found");
    assert_eq!(now(engine.admit("d", None)), Ok(None));
}
