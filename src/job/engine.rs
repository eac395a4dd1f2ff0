//! The engine: accepts jobs of a kind, continues them at each message, and ends them.

use super::error::JobError;
use super::kind::{Conclusion, DonePart, JobOf, Kind, PartResult, Plan, Progress, Report, Work};
use super::ports::{Bucket, Queue};
use super::record::{EarlierJobs, NewPart, Stalled};
use super::state::{Done, JobState};
use super::status::JobStatus;
use database::{Database, Statement};
use fhir::Micros;

/// Runs the jobs of a kind, with their state in a database, their objects in a bucket, and a queue.
#[derive(Debug)]
pub struct Engine<D, B, Q, K> {
    state: JobState<D, K>,
    /// The bucket.
    pub bucket: B,
    /// The queue.
    pub queue: Q,
    /// The time.
    pub now: Micros,
}

/// The answer to a request for a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobAnswer {
    /// A job, which is new or was begun by an earlier request with the same key.
    Job(String),
    /// Too many jobs are waiting, of all clients or of this one.
    Busy,
    /// The operator has stopped the client.
    Stopped,
}

type ProgressOf<K, W> = Progress<<K as Kind>::Report, <W as Work<K>>::Details>;

impl<D: Database, B: Bucket, Q: Queue, K: Kind> Engine<D, B, Q, K> {
    /// Makes an engine at this time.
    pub const fn new(database: D, bucket: B, queue: Q, now: Micros) -> Self {
        Self { state: JobState::new(database), bucket, queue, now }
    }

    /// Returns the database of the state.
    pub const fn database(&self) -> &D {
        &self.state.database
    }

    /// Returns the answer to a client for which no job may begin, or `None` if a job may. `request` is the hash of the
    /// client's key for repeated requests.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn admit(&self, client: &str, request: Option<&str>) -> Result<Option<JobAnswer>, JobError> {
        let EarlierJobs { job, is_stopped, is_full } = self.state.earlier(client, request).await?;
        Ok(if is_stopped {
            Some(JobAnswer::Stopped)
        } else if let Some(job) = job {
            Some(JobAnswer::Job(job.id))
        } else if is_full {
            Some(JobAnswer::Busy)
        } else {
            None
        })
    }

    /// Adds a job, unless it is known, and returns the stored job. `request` is the same as for [`Self::admit`]: if
    /// another request with it was faster, its job is returned. Returns `None` if other requests were faster, so that
    /// too many jobs are waiting now.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn add(&self, job: &JobOf<K>, request: Option<&str>) -> Result<Option<JobOf<K>>, JobError> {
        Ok(self.state.add(job, request).await?)
    }

    /// Returns the job with this id.
    pub async fn job(&self, id: &str) -> Result<Option<JobOf<K>>, JobError> {
        Ok(self.state.job(id).await?)
    }

    /// Returns the status of a job of a client.
    pub async fn status(&self, client: &str, id: &str) -> Result<Option<JobStatus<K::Report>>, JobError> {
        let found = self.state.job_with_parts(id).await?;
        let found = found.filter(|(job, _)| job.client.as_deref() == Some(client));
        Ok(found.map(|(job, parts)| JobStatus::of::<K>(&job, parts)))
    }

    /// Continues a job, if it is the first of its client: divides it, or sends the message of its next part. A job
    /// without parts is done at once. When a job ends, the message of its client's next job is sent.
    ///
    /// # Errors
    /// The errors of the work, and if the queue or the database does not answer. The same message may succeed later.
    pub async fn go_on<W: Work<K>>(&self, job: JobOf<K>, work: &W) -> Result<ProgressOf<K, W>, JobError> {
        if job.ended_at.is_some() {
            // The report of the job may be missing.
            self.finish_job(&job.id).await?;
            return Ok(Progress::None);
        }
        if job.is_stopped {
            return self.stop(&job).await;
        }
        if self.state.first_of(job.client.as_deref(), None).await?.is_some_and(|first| first != job.id) {
            return Ok(Progress::None);
        }
        if !job.is_divided {
            return self.divide(job, work).await;
        }
        let Some((_, parts)) = self.state.job_with_parts(&job.id).await? else { return Ok(Progress::None) };
        let open: Vec<_> = parts.iter().filter(|part| part.report.is_none()).map(|part| part.number).collect();
        match open.first() {
            None => self.conclude(&job.id, work).await,
            Some(next) => self.send_part(job.id, *next, open.len()).await,
        }
    }

    /// Does the part that a message names.
    ///
    /// # Errors
    /// As for [`Self::go_on`].
    pub async fn run_part<W: Work<K>>(&self, job: &str, part: usize, work: &W) -> Result<ProgressOf<K, W>, JobError> {
        self.run(job, part, None, work).await
    }

    /// Ends a job, or a part of it, with a fault, because it failed too often.
    ///
    /// # Errors
    /// If the bucket or the database does not answer.
    pub async fn give_up(&self, job: &JobOf<K>, part: Option<usize>) -> Result<(), JobError> {
        if job.ended_at.is_some() {
            return Ok(());
        }
        if K::CONCLUDES && job.is_divided && self.state.end_with(&job.id, &K::Report::given_up(None), self.now).await? {
            // All parts of the job have reports, but it could not be concluded.
            return self.finish_last(job, false).await;
        }
        if part.is_none() {
            if job.is_divided {
                // A separate message gives up the part that fails.
                return Ok(());
            }
            self.state.divide(&job.id, &[], None, self.now).await?;
        }
        let is_sent = self.send_next(job, part.unwrap_or_default(), true).await?;
        let report = K::Report::given_up(part);
        // With several shards, some of the part may have been written.
        let corrects = K::STORES_RECORDS;
        let done =
            self.state.store_report(&job.id, part.unwrap_or_default(), &report, corrects, true, self.now).await?;
        if done == Done::Ended { self.finish_last(job, is_sent).await } else { Ok(()) }
    }

    /// Returns the jobs without progress, and old jobs to be forgotten. The statements of `further` run in the same
    /// batch, and their rows are returned.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn stalled(&self, further: Vec<Statement>) -> Result<(Stalled<K::Parameters>, Vec<D::Rows>), JobError> {
        Ok(self.state.stalled(self.now, further).await?)
    }

    /// Forgets old jobs, with their objects.
    ///
    /// # Errors
    /// If the bucket or the database does not answer.
    pub async fn forget(&self, jobs: &[(String, K::Parameters)]) -> Result<(), JobError> {
        if !jobs.is_empty() {
            K::forget(&self.bucket, jobs).await?;
            self.state.forget(jobs).await?;
        }
        Ok(())
    }

    /// Sends messages for jobs without progress. Returns their number.
    ///
    /// # Errors
    /// If the queue or the database does not answer.
    pub async fn resume(&self, jobs: &[String]) -> Result<usize, JobError> {
        if !jobs.is_empty() {
            self.queue.send(jobs.iter().map(|job| K::message(job.clone(), None)).collect()).await?;
            self.state.touch(jobs, self.now).await?;
        }
        Ok(jobs.len())
    }

    /// Divides a job according to the plan of its work, and sends messages for its parts. A single part is done now.
    async fn divide<W: Work<K>>(&self, job: JobOf<K>, work: &W) -> Result<ProgressOf<K, W>, JobError> {
        match work.plan(&job).await? {
            Plan::Whole(input) => {
                self.state.divide(&job.id, &[NewPart::WHOLE], None, self.now).await?;
                self.run(&job.id, 1, Some(input), work).await
            }
            Plan::Parts { parts, notes, report } => {
                let division = NewPart { number: 0, contents: None, report: Some(&report) };
                let of_part = |(number, contents)| NewPart { number, contents: Some(contents), report: None };
                let all: Vec<_> = [division].into_iter().chain((1..).zip(&parts).map(of_part)).collect();
                self.state.divide(&job.id, &all, Some(&notes), self.now).await?;
                if parts.is_empty() {
                    return self.finish_part(&job, 0, unchanged(report), work).await;
                }
                self.send_part(job.id, 1, parts.len()).await
            }
            Plan::Refused(report) => {
                self.state.divide(&job.id, &[NewPart::WHOLE], None, self.now).await?;
                self.finish_part(&job, 1, unchanged(report), work).await
            }
        }
    }

    /// Sends the message of the `next` of `parts`. Each part sends the message of the next, so that clients take turns.
    async fn send_part<R, T>(&self, job: String, next: usize, parts: usize) -> Result<Progress<R, T>, JobError> {
        self.queue.send(vec![K::message(job.clone(), Some(next))]).await?;
        Ok(Progress::Divided { job, parts })
    }

    /// Sends the message that follows a part: for another part of its job, or, if the job `ends`, for the next job of
    /// its client. The message is sent before the report of the part is stored: a message for a part with a report
    /// sends nothing, so that a repeated message does not continue twice. Returns whether a message was sent.
    async fn send_next(&self, job: &JobOf<K>, part: usize, ends: bool) -> Result<bool, JobError> {
        match self.state.open_part(&job.id, part).await? {
            Some(next) => {
                self.queue.send(vec![K::message(job.id.clone(), Some(next))]).await?;
                Ok(true)
            }
            None if ends => self.begin_next(job.client.as_deref(), Some(&job.id)).await,
            None => Ok(false),
        }
    }

    /// Sends the message of the first other job of a client that has not ended. Returns whether there is such a job.
    ///
    /// # Errors
    /// If the queue or the database does not answer.
    pub async fn begin_next(&self, client: Option<&str>, except: Option<&str>) -> Result<bool, JobError> {
        let next = self.state.first_of(client, except).await?;
        let messages: Vec<_> = next.map(|next| K::message(next, None)).into_iter().collect();
        let is_sent = !messages.is_empty();
        if is_sent {
            self.queue.send(messages).await?;
        }
        Ok(is_sent)
    }

    /// Does the remaining work after the end of a job. If no message of the next job was sent before, a job may have
    /// arrived in the meantime, whose own message found this job before it.
    async fn finish_last(&self, job: &JobOf<K>, is_sent: bool) -> Result<(), JobError> {
        if !is_sent {
            self.begin_next(job.client.as_deref(), None).await?;
        }
        self.finish_job(&job.id).await
    }

    /// Does a part of a job. `input` is the input that the plan has read for the part.
    async fn run<W: Work<K>>(
        &self,
        id: &str,
        number: usize,
        input: Option<W::Input>,
        work: &W,
    ) -> Result<ProgressOf<K, W>, JobError> {
        let Some((job, part)) = self.state.begin(id, number, self.now).await? else { return Ok(Progress::None) };
        if part.report.is_some() {
            if job.ended_at.is_some() {
                self.finish_job(id).await?;
                return Ok(Progress::None);
            }
            return self.conclude(id, work).await;
        }
        if job.is_stopped {
            return self.stop(&job).await;
        }
        let result = work.run(&job, &part, input).await?;
        self.finish_part(&job, number, result, work).await
    }

    /// Ends a job whose client was stopped, with all its parts.
    async fn stop<T: Default>(&self, job: &JobOf<K>) -> Result<Progress<K::Report, T>, JobError> {
        let report = K::Report::stopped();
        self.state.stop(&job.id, &report, self.now).await?;
        self.finish_job(&job.id).await?;
        Ok(done::<K, T>(job, 0, unchanged(report)))
    }

    /// Ends a part with its result. If it was the last part, ends the job.
    async fn finish_part<W: Work<K>>(
        &self,
        job: &JobOf<K>,
        number: usize,
        result: PartResult<K::Report, W::Details>,
        work: &W,
    ) -> Result<ProgressOf<K, W>, JobError> {
        let PartResult { report, corrects, .. } = &result;
        let is_sent = self.send_next(job, number, !K::CONCLUDES).await?;
        match self.state.store_report(&job.id, number, report, *corrects, !K::CONCLUDES, self.now).await? {
            Done::Some => {}
            Done::All => {
                self.conclude(&job.id, work).await?;
            }
            Done::Ended => self.finish_last(job, is_sent).await?,
        }
        Ok(done::<K, _>(job, number, result))
    }

    /// Concludes a job if all its parts have reports ([`Work::conclude`]). Leaves other jobs unchanged.
    async fn conclude<W: Work<K>>(&self, id: &str, work: &W) -> Result<ProgressOf<K, W>, JobError> {
        if !K::CONCLUDES {
            return Ok(Progress::None);
        }
        let Some((job, parts)) = self.state.job_with_parts(id).await? else { return Ok(Progress::None) };
        if job.ended_at.is_some() || parts.iter().any(|part| part.report.is_none()) {
            return Ok(Progress::None);
        }
        match work.conclude(&job, &parts).await? {
            Conclusion::Ended => {
                let is_sent = self.begin_next(job.client.as_deref(), Some(id)).await?;
                if self.state.end(id, self.now).await? {
                    self.finish_last(&job, is_sent).await?;
                }
                Ok(Progress::None)
            }
            Conclusion::Further(contents) => {
                let first = parts.iter().map(|part| part.number + 1).max().unwrap_or(1);
                let of_part = |(number, contents)| NewPart { number, contents: Some(contents), report: None };
                let all: Vec<_> = (first..).zip(&contents).map(of_part).collect();
                // The message of a missing part does nothing.
                let progress = self.send_part(job.id, first, all.len()).await?;
                self.state.extend(id, parts.len(), &all, self.now).await?;
                Ok(progress)
            }
        }
    }

    /// Does the remaining work after the end of a job ([`Kind::finish_job`]).
    async fn finish_job(&self, id: &str) -> Result<(), JobError> {
        let Some((job, parts)) = self.state.job_with_parts(id).await? else { return Ok(()) };
        K::finish_job(&self.bucket, &job, parts).await
    }
}

/// Returns the result of a part that has changed nothing.
fn unchanged<R, T: Default>(report: R) -> PartResult<R, T> {
    PartResult { report, corrects: false, details: T::default() }
}

fn done<K: Kind, T>(job: &JobOf<K>, part: usize, result: PartResult<K::Report, T>) -> Progress<K::Report, T> {
    let PartResult { report, details, .. } = result;
    Progress::Done(Box::new(DonePart { job: job.id.clone(), client: job.client.clone(), part, report, details }))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::BTreeMap;
    use std::ops::Range;

    use super::*;
    use crate::testing::{Messages, Sum, database};
    use crate::{AnyKind, Backlog, Job, Message, ObjectInfo, Part, PartOf, Replay, StorageError, ids, statement};
    use sqlite::SqliteDatabase;
    use sqlite::now;

    /// Jobs that add the numbers of their parameters. The first try of a part fails.
    #[derive(Debug)]
    struct SumJobs<const STORES_RECORDS: bool>;

    /// Jobs that are repeated after a restore.
    type Sums = SumJobs<true>;
    /// Jobs that are not repeated after a restore.
    type Drafts = SumJobs<false>;

    impl<const STORES_RECORDS: bool> Kind for SumJobs<STORES_RECORDS> {
        type Parameters = String;
        type Notes = usize;
        type Contents = u64;
        type Report = Sum;

        const NAME: &'static str = if STORES_RECORDS { "sums" } else { "drafts" };
        const STORES_RECORDS: bool = STORES_RECORDS;
        const MAX_WAITING: Backlog =
            Backlog { jobs: if STORES_RECORDS { 20 } else { 8 }, bytes: u64::MAX, parts: u64::MAX };
        const PREFIXES: &'static [&'static str] = &[];

        fn message(job: String, part: Option<usize>) -> Message {
            Message::Ingest { job, part }
        }

        fn bytes(numbers: &String) -> u64 {
            numbers.len() as u64
        }

        async fn finish_job(bucket: &impl Bucket, job: &JobOf<Self>, parts: Vec<PartOf<Self>>) -> Result<(), JobError> {
            let status = JobStatus::of::<Self>(job, parts);
            Ok(bucket.write(&job.id, status.report.sum.to_string().into_bytes()).await?)
        }

        async fn forget(bucket: &impl Bucket, jobs: &[(String, String)]) -> Result<(), JobError> {
            Ok(bucket.delete(jobs.iter().map(|(id, _)| id.clone()).collect()).await?)
        }
    }

    struct Add;

    impl<const STORES_RECORDS: bool> Work<SumJobs<STORES_RECORDS>> for Add {
        type Input = u64;
        type Details = usize;

        async fn plan(&self, job: &Job<String, usize>) -> Result<Plan<SumJobs<STORES_RECORDS>, u64>, JobError> {
            let numbers: Result<Vec<u64>, _> = job.parameters.split('+').map(str::parse).collect();
            Ok(match numbers.as_deref() {
                Err(_) => Plan::Refused(Sum { sum: 0, faults: vec!["no numbers".to_owned()] }),
                Ok([one]) => Plan::Whole(*one),
                Ok(several) => Plan::Parts { parts: several.to_vec(), notes: several.len(), report: Sum::default() },
            })
        }

        async fn run(
            &self,
            job: &Job<String, usize>,
            part: &Part<u64, Sum>,
            input: Option<u64>,
        ) -> Result<PartResult<Sum, usize>, JobError> {
            let number = input.or(part.contents).ok_or_else(|| JobError("there is no number".to_owned()))?;
            if job.notes.is_some() && part.tries == 1 {
                return Err(JobError("it is tried once more".to_owned()));
            }
            Ok(PartResult { report: Sum { sum: number, faults: Vec::new() }, corrects: false, details: part.tries })
        }
    }

    #[derive(Debug, Default)]
    struct Objects(RefCell<BTreeMap<String, Vec<u8>>>);

    impl Objects {
        /// Returns the keys and the texts of all objects.
        fn all(&self) -> Vec<(String, String)> {
            let text = |bytes: &Vec<u8>| String::from_utf8(bytes.clone()).unwrap();
            self.0.borrow().iter().map(|(key, bytes)| (key.clone(), text(bytes))).collect()
        }
    }

    impl Bucket for Objects {
        async fn info(&self, _: &str) -> Result<Option<ObjectInfo>, StorageError> {
            Ok(None)
        }

        async fn read(&self, _: &str, _: Range<u64>) -> Result<Option<Vec<u8>>, StorageError> {
            Ok(None)
        }

        async fn write(&self, key: &str, bytes: Vec<u8>) -> Result<(), StorageError> {
            self.0.borrow_mut().insert(key.to_owned(), bytes);
            Ok(())
        }

        async fn delete(&self, keys: Vec<String>) -> Result<(), StorageError> {
            self.0.borrow_mut().retain(|key, _| !keys.contains(key));
            Ok(())
        }
    }

    type Sending<'d, K> = Engine<&'d SqliteDatabase, Objects, Messages, K>;

    fn engine<K: Kind>(database: &SqliteDatabase) -> Sending<'_, K> {
        Engine::new(database, Objects::default(), Messages::default(), 1)
    }

    fn id_of<K: Kind>(numbers: &str) -> String {
        format!("{} of {numbers}", K::NAME)
    }

    fn added<K: Kind<Parameters = String>>(engine: &Sending<'_, K>, numbers: &str) -> JobOf<K> {
        let job = Job::new(id_of::<K>(numbers), Some("c".to_owned()), numbers.to_owned(), 1);
        now(engine.add(&job, None)).unwrap().unwrap()
    }

    fn status<K: Kind<Report = Sum>>(
        engine: &Sending<'_, K>,
        numbers: &str,
    ) -> (&'static str, Option<usize>, usize, Sum) {
        let status = now(engine.status("c", &id_of::<K>(numbers))).unwrap().unwrap();
        (status.status, status.parts, status.parts_done, status.report)
    }

    /// Receives messages until none is left. A message that fails is received again.
    fn settle<K: Kind<Report = Sum>>(engine: &Sending<'_, K>) -> Vec<usize>
    where
        Add: Work<K, Details = usize>,
    {
        let mut tries = Vec::new();
        loop {
            let next = engine.queue.0.borrow_mut().pop();
            let Some(Message::Ingest { job, part: Some(part) }) = next else { return tries };
            match now(engine.run_part(&job, part, &Add)) {
                Ok(Progress::Done(done)) => tries.push(done.details),
                Ok(other) => panic!("{other:?}"),
                Err(_) => engine.queue.0.borrow_mut().push(Message::Ingest { job, part: Some(part) }),
            }
        }
    }

    /// Sends messages for the jobs without progress, and forgets old ones. Returns the ids of both.
    fn swept<K: Kind>(engine: &Sending<'_, K>) -> (Vec<String>, Vec<String>) {
        let (stalled, _) = now(engine.stalled(Vec::new())).unwrap();
        now(engine.forget(&stalled.forgotten)).unwrap();
        assert_eq!(now(engine.resume(&stalled.jobs)), Ok(stalled.jobs.len()));
        (stalled.jobs, stalled.forgotten.into_iter().map(|(id, _)| id).collect())
    }

    #[test]
    fn another_kind_of_job_is_divided_tried_again_and_ended() {
        let database = database();
        let engine = engine::<Sums>(&database);
        let progress = now(engine.go_on(added(&engine, "1+20+300"), &Add)).unwrap();
        assert_eq!(progress, Progress::Divided { job: "sums of 1+20+300".to_owned(), parts: 3 });
        assert_eq!(status(&engine, "1+20+300"), ("in-progress", Some(3), 0, Sum::default()));
        assert_eq!(settle(&engine), [2, 2, 2]);
        assert_eq!(status(&engine, "1+20+300"), ("completed", Some(3), 3, Sum { sum: 321, faults: Vec::new() }));

        let Progress::Done(whole) = now(engine.go_on(added(&engine, "4"), &Add)).unwrap() else { panic!() };
        assert_eq!((whole.part, whole.report.sum, whole.details), (1, 4, 1));
        let Progress::Done(refused) = now(engine.go_on(added(&engine, "x"), &Add)).unwrap() else { panic!() };
        assert_eq!(refused.report.faults, ["no numbers"]);
        assert_eq!(status(&engine, "x").0, "completed-with-faults");
        let ended = [("1+20+300", "321"), ("4", "4"), ("x", "0")];
        assert_eq!(engine.bucket.all(), ended.map(|(numbers, sum)| (id_of::<Sums>(numbers), sum.to_owned())));
    }

    #[test]
    fn wr12_clients_take_turns_and_each_has_one_job_at_a_time() {
        // Each message arrives once or twice, and a part that fails is repeated or given up.
        for (comes_twice, is_given_up) in [(false, false), (true, false), (false, true), (true, true)] {
            let database = database();
            let engine = engine::<Sums>(&database);
            for (client, numbers) in [("c", "1+2+3"), ("c", "4+5"), ("c", "6"), ("d", "7+8"), ("d", "9")] {
                let job = Job::new(id_of::<Sums>(numbers), Some(client.to_owned()), numbers.to_owned(), 1);
                let job = now(engine.add(&job, None)).unwrap().unwrap();
                engine.queue.0.borrow_mut().push(Sums::message(job.id, None));
            }
            let (mut ends, mut waiting) = (Vec::new(), 0);
            while !engine.queue.0.borrow().is_empty() {
                let Message::Ingest { job, part } = engine.queue.0.borrow_mut().remove(0) else { panic!() };
                for _ in 0..if comes_twice { 2 } else { 1 } {
                    let known = now(engine.job(&job)).unwrap().unwrap();
                    let received = |job: &str| match part {
                        Some(part) => now(engine.run_part(job, part, &Add)),
                        None => now(engine.go_on(known.clone(), &Add)),
                    };
                    match received(&job) {
                        Ok(Progress::Done(done)) => ends.push((done.job, done.part)),
                        Ok(_) => {}
                        Err(_) if is_given_up => {
                            now(engine.give_up(&known, part)).unwrap();
                            ends.push((job.clone(), part.unwrap()));
                        }
                        Err(_) => ends.push(match received(&job) {
                            Ok(Progress::Done(done)) => (done.job, done.part),
                            other => panic!("{other:?}"),
                        }),
                    }
                }
                let messages = engine.queue.0.borrow().len();
                waiting = if ends.is_empty() { 0 } else { waiting.max(messages) };
            }
            let of = |numbers: &str, part| (id_of::<Sums>(numbers), part);
            let (c, d) = (["1+2+3", "4+5"], ["7+8", "9"]);
            let expected = [of(c[0], 1), of(d[0], 1), of(c[0], 2), of(d[0], 2), of(c[0], 3), of(d[1], 1)];
            assert_eq!(ends, [&expected[..], &[of(c[1], 1), of(c[1], 2), of("6", 1)]].concat(), "{comes_twice}");
            assert!(waiting <= 4, "{waiting}");
            let open = ["c", "d"].map(|client| now(engine.state.first_of(Some(client), None)).unwrap());
            assert_eq!(open, [None, None]);
        }
    }

    #[test]
    fn a_job_is_given_up_as_a_whole_or_in_parts_and_forgotten_at_last() {
        let database = database();
        let mut engine = engine::<Sums>(&database);
        now(engine.give_up(&added(&engine, "1"), None)).unwrap();
        assert_eq!(status(&engine, "1"), ("completed-with-faults", Some(0), 0, Sum::given_up(None)));
        let job = added(&engine, "2+3");
        now(engine.go_on(job.clone(), &Add)).unwrap();
        let divided = now(engine.job(&job.id)).unwrap().unwrap();
        now(engine.give_up(&divided, None)).unwrap();
        now(engine.give_up(&divided, Some(1))).unwrap();
        assert_eq!(status(&engine, "2+3"), ("in-progress", Some(2), 1, Sum::given_up(Some(1))));

        engine.now = 400_000_000;
        engine.queue.0.borrow_mut().clear();
        assert_eq!(swept(&engine), (vec![job.id.clone()], Vec::new()));
        assert_eq!(*engine.queue.0.borrow(), [Message::Ingest { job: job.id.clone(), part: None }]);
        assert_eq!(swept(&engine), (Vec::new(), Vec::new()));
        // The message of the job continues with the remaining part.
        assert!(matches!(now(engine.go_on(divided, &Add)), Ok(Progress::Divided { parts: 1, .. })));
        assert_eq!(settle(&engine), [2]);
        assert_eq!(status(&engine, "2+3").3.sum, 3);

        assert_eq!(engine.bucket.all().len(), 2);
        engine.now = 40 * 24 * 3_600 * 1_000_000;
        assert_eq!(swept(&engine).1.len(), 2);
        assert_eq!(engine.bucket.all(), []);
    }

    #[test]
    fn the_jobs_of_two_kinds_wait_go_on_stop_come_again_and_expire_apart() {
        let database = database();
        let run = |statements: Vec<Statement>| now(database.batch(statements)).unwrap().pop().unwrap();
        let later =
            "INSERT INTO job (id, kind, parameters, bytes, created_at, touched_at) VALUES ('x', 'later', '', 1, 0, 0)";
        run(vec![statement(later, [])]);
        let (mut sums, mut drafts) = (engine::<Sums>(&database), engine::<Drafts>(&database));
        // A client may use one key for requests of both kinds.
        let (sum, draft) = (id_of::<Sums>("70"), id_of::<Drafts>("70"));
        let job = |id: &String| Job::new(id.clone(), Some("c".to_owned()), "70".to_owned(), 1);
        assert_eq!(now(sums.add(&job(&sum), Some("key"))).unwrap().unwrap().id, sum);
        assert_eq!(now(drafts.add(&job(&draft), Some("key"))).unwrap().unwrap().id, draft);
        assert_eq!(now(sums.admit("c", Some("key"))), Ok(Some(JobAnswer::Job(sum.clone()))));
        assert_eq!(now(drafts.admit("c", Some("key"))), Ok(Some(JobAnswer::Job(draft.clone()))));
        assert_eq!(now(drafts.admit("c", None)), Ok(None), "a client may have two drafts, and the sum does not count");
        assert_eq!(now(sums.status("c", &draft)), Ok(None));
        assert_eq!(now(sums.job(&draft)), Ok(None));
        assert_eq!(now(drafts.run_part(&sum, 1, &Add)), Ok(Progress::None));

        (sums.now, drafts.now) = (400_000_000, 400_000_000);
        assert_eq!(swept(&sums), (vec![sum.clone()], Vec::new()));
        assert_eq!(swept(&drafts), (vec![draft.clone()], Vec::new()));
        now(sums.go_on(now(sums.job(&sum)).unwrap().unwrap(), &Add)).unwrap();
        now(drafts.go_on(now(drafts.job(&draft)).unwrap().unwrap(), &Add)).unwrap();
        let statuses = || (status(&sums, "70").0, status(&drafts, "70").0);
        assert_eq!(statuses(), ("completed", "completed"));

        let kinds = [AnyKind::of::<Drafts>(), AnyKind::of::<Sums>()];
        run(Replay { since: 0, except: Vec::new() }.statements(&kinds).into());
        assert_eq!(statuses(), ("in-progress", "completed"));

        added(&drafts, "8");
        run(AnyKind::of::<Sums>().stop_client("c"));
        assert_eq!((status(&sums, "70").3, status(&drafts, "8").0), (Sum::stopped(), "in-progress"));
        run(kinds.iter().flat_map(|kind| kind.stop_client("c")).collect());
        assert_eq!((status(&drafts, "70").3.sum, status(&drafts, "8").3), (70, Sum::stopped()));

        (sums.now, drafts.now) = (40 * 24 * 3_600 * 1_000_000, 40 * 24 * 3_600 * 1_000_000);
        assert_eq!(swept(&sums).1, [sum]);
        assert_eq!(swept(&drafts).1.len(), 2);
        // A job of an unknown kind is unchanged.
        let left = run(vec![statement("SELECT id FROM job WHERE kind = 'sums' OR touched_at = 0 ORDER BY id", [])]);
        assert_eq!(ids(&left), ["x"]);
        assert_eq!(now(drafts.status("c", &draft)), Ok(None));
    }
}
