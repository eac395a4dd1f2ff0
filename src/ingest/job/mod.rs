//! Jobs: files of records that are loaded in the background, in any order and any number of times. A file is sent to
//! the server ([`Jobs::accept`]), or it is put into its bucket and a notification comes ([`Jobs::receive`]). A file
//! that is long is divided into parts first, by patient.
//!
//! The file and the rows of the job are the truth: a message of the queue only says which job to go on with, and a lost
//! one is sent again ([`Jobs::resume`]). Whatever is done twice has the same effect, because the newer form of a
//! resource counts and the time of a load is that of its job.

mod divide;
mod files;
mod lines;
mod state;
mod submission;

use base16ct::lower::encode_string;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::LONGEST_FILE;
use super::file::{ChangedPatients, Documents, TextFault, load_documents, text_of};
use super::load::Load;
use super::report::FileReport;
use super::sources::Sources;
use super::text::{TextDocuments, is_json};
use super::writer::WriteFailure;
use crate::database::{Database, DatabaseError};
use crate::fhir::Micros;
use crate::store::RecordDatabases;
use divide::{Divider, Division, Piece, each_of_part};
use files::{is_own, key_of_piece, key_of_report, key_of_sent};
use lines::{Lines, STEP};
use state::{Earlier, Job, JobState, NewPart, Part, Stalled};

pub use state::{Backlog, Replay, stop_client};

pub use files::{Bucket, Message, NotifiedObject, ObjectInfo, Queue, Remote, RemoteFault, StorageError};
pub use submission::{Manifest, SubmissionId, SubmissionReport, SubmissionStatus, SubmitRequest, Submitted};

/// The fault of a job whose file is missing.
const GONE: &str = "it is not in the bucket any more";

/// The lines at the beginning of a file that may be no JSON. If there are more, it is not NDJSON.
const MOST_BAD_LINES: usize = 100;
/// The bytes of a file that are read at a time.
const RANGE: u64 = 4 << 20;
/// The most that may wait. Further files are refused until some jobs have ended.
const MOST_WAITING: Backlog = Backlog { jobs: 1_000, bytes: 4 << 30 };
/// The part of it that one client may have, so that the others find room.
const SHARE_OF_CLIENT: u64 = 4;
/// The fault of a job whose client was stopped.
const STOPPED: &str = "it is not loaded: the client is disabled";

/// The part of a file that is loaded as a whole.
const WHOLE: NewPart<'_> = NewPart { number: 1, pieces: None, report: None };

/// The jobs of a server.
#[derive(Debug)]
pub struct Jobs<D, B, Q> {
    state: JobState<D>,
    bucket: B,
    queue: Q,
    /// The time.
    now: Micros,
}

/// The records that jobs change.
#[derive(Debug)]
pub struct Target<'a, D> {
    /// The databases of the records, at their primaries.
    pub databases: RecordDatabases<'a, D>,
    /// See [`Load::base`].
    pub base: &'a str,
    /// See [`Load::attachments`].
    pub attachments: &'a str,
}

/// The reason why a job did not go on. It is for the log, and the same message may succeed later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobError(pub String);

impl From<DatabaseError> for JobError {
    fn from(error: DatabaseError) -> Self {
        Self(error.detail)
    }
}

impl From<StorageError> for JobError {
    fn from(error: StorageError) -> Self {
        Self(error.0)
    }
}

/// The progress that a message has made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// There was nothing to do.
    None,
    /// The file was divided into this number of parts, each with a message of its own.
    Divided {
        /// The id of the job.
        job: String,
        /// The number of parts.
        parts: usize,
    },
    /// A part was loaded.
    Loaded(Box<LoadedPart>),
}

/// A part of a job that was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedPart {
    /// The id of the job.
    pub job: String,
    /// The client that has sent the file. `None` if it was put into the bucket.
    pub client: Option<String>,
    /// The number of the part.
    pub part: usize,
    /// The report of the part.
    pub report: FileReport,
    /// The patients whose records have changed.
    pub patients: ChangedPatients,
}

/// The answer to a request to load a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Accepted {
    /// The job, which is new or that of an earlier request with the same key.
    Job(String),
    /// Too much is waiting, of all clients or of this one.
    Busy,
    /// The operator has stopped the client.
    Stopped,
}

/// The status of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobStatus {
    /// The id of the job.
    pub id: String,
    /// `in-progress`, `completed`, or `completed-with-faults`.
    pub status: &'static str,
    /// The time when the file was accepted.
    pub created: String,
    /// The time when the last part was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// The size of the file.
    pub bytes: u64,
    /// The number of parts. `None` until the file has been divided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<usize>,
    /// The number of parts that are done.
    pub parts_done: usize,
    /// The reports of these parts together.
    #[serde(flatten)]
    pub report: FileReport,
}

/// A text that is loaded as a whole.
enum Text {
    /// A file.
    File(String),
    /// The lines of a part.
    Part(String),
}

impl Text {
    /// The documents of the text.
    fn documents(&self) -> Box<Documents<'_>> {
        match self {
            Self::File(text) => {
                let documents = TextDocuments::of(text);
                Box::new(move |take| documents.each(take))
            }
            Self::Part(text) => Box::new(move |take| each_of_part(text, take)),
        }
    }
}

/// The lines of a file that were read.
#[derive(Default)]
struct LinesRead {
    /// True if one was JSON.
    has_good: bool,
    /// The number of those before it that were not.
    bad: usize,
}

impl LinesRead {
    /// Adds a line to what is divided.
    fn line(&mut self, divider: &mut Divider, number: usize, line: Result<&str, String>) -> Result<(), String> {
        if !self.has_good {
            self.has_good = line.as_ref().is_ok_and(|line| is_json(line));
            self.bad += usize::from(!self.has_good);
            if self.bad > MOST_BAD_LINES {
                return Err(format!(
                    "its first {MOST_BAD_LINES} lines are no JSON: a document of several lines has {LONGEST_FILE} bytes \
                     at most, send NDJSON"
                ));
            }
        }
        match line {
            Ok(line) => divider.add(number, line),
            Err(why) => divider.fault(number, &why),
        }
        if divider.has_too_many_patients() {
            return Err("it has too many patients: send it in several files".to_owned());
        }
        Ok(())
    }
}

impl<D: Database, B: Bucket, Q: Queue> Jobs<D, B, Q> {
    /// The jobs with their state in a database, their files in a bucket, and a queue.
    pub const fn new(state: D, bucket: B, queue: Q, now: Micros) -> Self {
        Self { state: JobState(state), bucket, queue, now }
    }

    /// The bucket.
    pub const fn bucket(&self) -> &B {
        &self.bucket
    }

    /// Accepts the file of a client. `request` is the hash of the key by which the client repeats the request, `id` the
    /// id of a new job, `source` the FHIR base of the server that it comes from, and `upload` stores the file under a
    /// key and returns its size. It is called for a new job only.
    ///
    /// # Errors
    /// If the database does not answer, or `upload` fails. Then nothing is loaded.
    pub async fn accept<E: From<JobError>>(
        &self,
        client: &str,
        request: Option<&str>,
        id: String,
        is_gzip: bool,
        source: Option<&str>,
        upload: impl AsyncFnOnce(&str) -> Result<u64, E>,
    ) -> Result<Accepted, E> {
        let fault = |error: DatabaseError| E::from(error.into());
        let Earlier { job, is_stopped, all, own } = self.state.earlier(client, request).await.map_err(fault)?;
        if is_stopped {
            return Ok(Accepted::Stopped);
        }
        if let Some(job) = job {
            return Ok(Accepted::Job(job.id));
        }
        if all.is_full(1) || own.is_full(SHARE_OF_CLIENT) {
            return Ok(Accepted::Busy);
        }
        let file = key_of_sent(&id, is_gzip);
        let bytes = upload(&file).await?;
        let (client, source) = (Some(client.to_owned()), source.map(str::to_owned));
        let job = Job { client, source, ..self.job_of(id.clone(), file, bytes) };
        let job = self.state.add(&job, request).await.map_err(fault)?;
        let job = job.ok_or_else(|| E::from(JobError("a job is not there that was just added".to_owned())))?;
        if job.id == id {
            // If that fails, the job is found as one without progress.
            let _ = self.queue.send(vec![Message::Job { job: id, part: None }]).await;
        } else {
            // Another request with the same key was faster. If that fails, the lifecycle rule of the bucket deletes it.
            let _ = self.bucket.delete(vec![key_of_sent(&id, is_gzip)]).await;
        }
        Ok(Accepted::Job(job.id))
    }

    /// The jobs that have not ended.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn backlog(&self) -> Result<Backlog, JobError> {
        Ok(self.state.earlier("", None).await?.all)
    }

    /// The status of a job of a client.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn status(&self, client: &str, id: &str) -> Result<Option<JobStatus>, JobError> {
        let found = self.state.job_with_parts(id).await?.filter(|(job, _)| job.client.as_deref() == Some(client));
        Ok(found.map(|(job, parts)| status_of(&job, parts)))
    }

    /// Goes on with the job of a message.
    ///
    /// # Errors
    /// If the bucket, the queue or a database does not answer. The same message may succeed later.
    pub async fn receive(
        &self,
        message: &Message,
        target: &Target<'_, D>,
        remote: &impl Remote,
    ) -> Result<Progress, JobError> {
        match message {
            Message::Submission { submission } => self.fetch(submission, remote).await,
            Message::Notification { object: NotifiedObject { key } } => match self.notified(key).await? {
                Some(job) => self.go_on(job, target).await,
                None => Ok(Progress::None),
            },
            Message::Job { job, part: None } => match self.state.job(job).await? {
                Some(job) => self.go_on(job, target).await,
                None => Ok(Progress::None),
            },
            Message::Job { job, part: Some(part) } => self.load_part(job, *part, None, target).await,
        }
    }

    /// Ends what a message is about with a fault, because it has failed too often.
    ///
    /// # Errors
    /// If the bucket or the database does not answer.
    pub async fn give_up(&self, message: &Message) -> Result<(), JobError> {
        let (job, part) = match message {
            Message::Notification { object: NotifiedObject { key } } => (self.notified(key).await?, None),
            Message::Job { job, part } => (self.state.job(job).await?, *part),
            Message::Submission { submission } => return self.give_up_fetching(submission).await,
        };
        let Some(job) = job.filter(|job| job.ended_at.is_none()) else { return Ok(()) };
        let (part, location) = match part {
            Some(part) => (part, format!("part {part}")),
            None if !job.is_divided => {
                self.state.divide(&job.id, &[], None, self.now).await?;
                (0, "the file".to_owned())
            }
            // Each of its parts has a message of its own.
            None => return Ok(()),
        };
        let report = FileReport::refused(&location, "it could not be loaded in several tries: send it again later");
        // With several shards a part of it may have been written.
        self.end_part(&job, part, report, true).await.map(|_| ())
    }

    /// Sends messages for the jobs and submissions without progress, and forgets old ones. Returns the number of
    /// messages.
    ///
    /// # Errors
    /// If the database or the queue does not answer.
    pub async fn resume(&self) -> Result<usize, JobError> {
        let Stalled { jobs, submissions, forgotten } = self.state.stalled(self.now).await?;
        let objects = forgotten.iter().flat_map(|(id, file)| {
            // A file that was put into the bucket belongs to whoever has put it there.
            [Some(file.clone()).filter(|file| is_own(file)), Some(key_of_report(file, id))].into_iter().flatten()
        });
        let objects: Vec<_> = objects.collect();
        if !objects.is_empty() {
            self.bucket.delete(objects).await?;
            self.state.forget(&forgotten).await?;
        }
        let of_jobs = jobs.iter().map(|job| Message::Job { job: job.clone(), part: None });
        let of_submissions = submissions.iter().map(|id| Message::Submission { submission: id.clone() });
        let messages: Vec<_> = of_jobs.chain(of_submissions).collect();
        let count = messages.len();
        if count > 0 {
            self.queue.send(messages).await?;
            self.state.touch(&jobs, &submissions, self.now).await?;
        }
        Ok(count)
    }

    fn job_of(&self, id: String, file: String, bytes: u64) -> Job {
        Job { id, file, bytes, created_at: self.now, ..Job::default() }
    }

    /// The job of a file that was put into the bucket. `None` if it is not there, or is no file to load.
    async fn notified(&self, key: &str) -> Result<Option<Job>, JobError> {
        if is_own(key) {
            return Ok(None);
        }
        let Some(info) = self.bucket.info(key).await? else { return Ok(None) };
        // A file that is written again is another job, also with the content of before.
        let id = id_of(&[key, &info.etag, &info.stored_at.to_string()]);
        let job = Job { created_at: info.stored_at, ..self.job_of(id, key.to_owned(), info.bytes) };
        Ok(self.state.add(&job, None).await?)
    }

    /// Divides the file of a job, or sends messages for its parts. If there is one part, it is loaded.
    async fn go_on(&self, job: Job, target: &Target<'_, D>) -> Result<Progress, JobError> {
        if job.ended_at.is_some() {
            // Its report may be missing.
            self.end(&job.id).await?;
            return Ok(Progress::None);
        }
        if job.is_stopped {
            return self.stop(&job).await;
        }
        if !job.is_divided {
            return self.begin(job, target).await;
        }
        let Some((_, parts)) = self.state.job_with_parts(&job.id).await? else { return Ok(Progress::None) };
        let open: Vec<_> = parts.iter().filter(|part| part.report.is_none()).map(|part| part.number).collect();
        match open[..] {
            [] => Ok(Progress::None),
            [part] => self.load_part(&job.id, part, None, target).await,
            _ => self.send_parts(job.id, &open).await,
        }
    }

    async fn send_parts(&self, job: String, parts: &[usize]) -> Result<Progress, JobError> {
        let message = |part: &usize| Message::Job { job: job.clone(), part: Some(*part) };
        self.queue.send(parts.iter().map(message).collect()).await?;
        Ok(Progress::Divided { job, parts: parts.len() })
    }

    /// Begins a job: loads its file as a whole, or divides it.
    async fn begin(&self, job: Job, target: &Target<'_, D>) -> Result<Progress, JobError> {
        let is_gzip = is_gzip(&job.file);
        let mut divider = Divider::new(target.base);
        if job.bytes <= LONGEST_FILE as u64 {
            match self.whole_text(&job).await? {
                Ok(text) => {
                    TextDocuments::of(&text).documents().for_each(|(line, text)| divider.add(line, text));
                    if divider.has_few_patients() {
                        self.state.divide(&job.id, &[WHOLE], None, self.now).await?;
                        return self.load_part(&job.id, 1, Some(Text::File(text)), target).await;
                    }
                    // All its lines are in memory, and become one object.
                    return self.divide(job, divider).await;
                }
                // Its lines are read one by one.
                Err(TextFault::TooLong | TextFault::Lines) => {}
                Err(TextFault::Bytes(why)) => return self.refuse(job, &why, 0).await,
            }
        }
        let (mut lines, mut read) = (Lines::new(is_gzip), LinesRead::default());
        let (mut objects, mut written) = (Vec::new(), 0);
        let mut start = 0;
        while start < job.bytes {
            let end = job.bytes.min(start + RANGE);
            let Some(bytes) = self.bucket.read(&job.file, start..end).await? else {
                return self.refuse(job, GONE, written).await;
            };
            // A range may be inflated to many times its size: what becomes full is written before it goes on.
            for step in bytes.chunks(STEP) {
                let mut each = |number: usize, line: Result<&str, String>| {
                    read.line(&mut divider, number, line)?;
                    objects.extend(divider.full_object());
                    Ok(())
                };
                if let Err(why) = lines.add(step, &mut each) {
                    return self.refuse(job, &why, written).await;
                }
                for (number, object) in objects.drain(..) {
                    self.bucket.write(&key_of_piece(&job.id, number), object).await?;
                    written = number + 1;
                }
            }
            start = end;
        }
        if let Err(why) = lines.end(&mut |number, line| read.line(&mut divider, number, line)) {
            return self.refuse(job, &why, written).await;
        }
        self.divide(job, divider).await
    }

    /// Writes the last object of a file that is divided, notes its parts, and sends their messages.
    async fn divide(&self, job: Job, mut divider: Divider) -> Result<Progress, JobError> {
        if let Some((number, object)) = divider.next_object() {
            self.bucket.write(&key_of_piece(&job.id, number), object).await?;
        }
        let Division { parts, referred, report } = divider.finish();
        let of_part = |(number, pieces)| NewPart { number, pieces: Some(pieces), report: None };
        let of_parts = (1..).zip(parts.iter().map(Vec::as_slice)).map(of_part);
        let all: Vec<_> =
            [NewPart { report: Some(&report), ..NewPart::default() }].into_iter().chain(of_parts).collect();
        self.state.divide(&job.id, &all, Some(&referred), self.now).await?;
        if parts.is_empty() {
            return self.end_part(&job, 0, report, false).await;
        }
        let numbers: Vec<_> = (1..=parts.len()).collect();
        self.send_parts(job.id, &numbers).await
    }

    /// Ends a job whose file is not loaded, and deletes the objects that were written.
    async fn refuse(&self, job: Job, why: &str, written: usize) -> Result<Progress, JobError> {
        self.delete_objects(&job.id, written).await?;
        let report = FileReport::refused("the file", why);
        self.state.divide(&job.id, &[WHOLE], None, self.now).await?;
        self.end_part(&job, 1, report, false).await
    }

    /// Loads a part of a job. `text` is its text, if it is known.
    async fn load_part(
        &self,
        id: &str,
        number: usize,
        text: Option<Text>,
        target: &Target<'_, D>,
    ) -> Result<Progress, JobError> {
        let Some((job, part)) = self.state.begin(id, number, self.now).await? else { return Ok(Progress::None) };
        if part.report.is_some() {
            if job.ended_at.is_some() {
                self.end(id).await?;
            }
            return Ok(Progress::None);
        }
        if job.is_stopped {
            return self.stop(&job).await;
        }
        let text = match text {
            Some(text) => text,
            None => match self.text_of(&job, part.pieces.as_deref()).await? {
                Ok(text) => text,
                Err(why) => return self.end_part(&job, number, FileReport::refused("the file", &why), false).await,
            },
        };
        let (now, Target { base, attachments, .. }) = (job.created_at, target);
        let load = Load { base, attachments, now, clock: now, keeps_newer: true };
        let sources = || sources_of(&job);
        let (report, corrects, patients) =
            match load_documents(&target.databases, load, &sources, &*text.documents()).await {
                Ok(loaded) => (loaded.report, loaded.corrects, loaded.patients),
                // The same part would fail again.
                Err(WriteFailure::Work(error)) => {
                    let report = FileReport::refused(&format!("part {number}"), &error.why);
                    (report, false, ChangedPatients::default())
                }
                Err(WriteFailure::Database(error)) => return Err(error.into()),
            };
        // An earlier try may have corrected something without having come to its end.
        self.settle_part(&job, number, &report, corrects || part.tries > 1).await?;
        let (job, client) = (job.id, job.client);
        Ok(Progress::Loaded(Box::new(LoadedPart { job, client, part: number, report, patients })))
    }

    /// The text of a file that is read as a whole.
    async fn whole_text(&self, job: &Job) -> Result<Result<String, TextFault>, JobError> {
        let bytes = self.bucket.read(&job.file, 0..job.bytes).await?;
        let gone = || TextFault::Bytes(GONE.to_owned());
        Ok(bytes.ok_or_else(gone).and_then(|bytes| text_of(&bytes, is_gzip(&job.file))))
    }

    /// The text of a part, or why there is none.
    async fn text_of(&self, job: &Job, pieces: Option<&[Piece]>) -> Result<Result<Text, String>, JobError> {
        let Some(pieces) = pieces else {
            return Ok(match self.whole_text(job).await? {
                Ok(text) => Ok(Text::File(text)),
                Err(TextFault::TooLong | TextFault::Lines) => Err(format!("it is longer than {LONGEST_FILE} bytes")),
                Err(TextFault::Bytes(why)) => Err(why),
            });
        };
        let mut all = Vec::new();
        for Piece { object, from, to } in pieces {
            let bytes = self.bucket.read(&key_of_piece(&job.id, *object), *from..*to).await?;
            all.extend(bytes.ok_or_else(|| JobError("an object of a divided file is missing".to_owned()))?);
        }
        let text = String::from_utf8(all).map_err(|_| JobError("an object of a divided file is damaged".to_owned()))?;
        Ok(Ok(Text::Part(text)))
    }

    /// Ends all of a job whose client was stopped.
    async fn stop(&self, job: &Job) -> Result<Progress, JobError> {
        let report = FileReport::refused("the file", STOPPED);
        self.state.stop(&job.id, &report, self.now).await?;
        self.end(&job.id).await?;
        Ok(loaded(job, 0, report))
    }

    /// Ends a part that has changed nothing.
    async fn end_part(
        &self,
        job: &Job,
        number: usize,
        report: FileReport,
        corrects: bool,
    ) -> Result<Progress, JobError> {
        self.settle_part(job, number, &report, corrects).await?;
        Ok(loaded(job, number, report))
    }

    async fn settle_part(&self, job: &Job, number: usize, report: &FileReport, corrects: bool) -> Result<(), JobError> {
        if self.state.end_part(&job.id, number, report, corrects, self.now).await? {
            self.end(&job.id).await?;
        }
        Ok(())
    }

    /// Writes the report of a job that has ended, and deletes the objects with its lines.
    async fn end(&self, id: &str) -> Result<(), JobError> {
        let Some((job, parts)) = self.state.job_with_parts(id).await? else { return Ok(()) };
        let objects = parts.iter().filter_map(|part| part.pieces.as_ref()).flatten().map(|piece| piece.object + 1);
        let objects = objects.max().unwrap_or_default();
        let file = key_of_report(&job.file, id);
        let status = status_of(&job, parts);
        let text = serde_json::to_vec(&status).map_err(|error| JobError(error.to_string()))?;
        self.bucket.write(&file, text).await?;
        self.delete_objects(id, objects).await
    }

    async fn delete_objects(&self, id: &str, count: usize) -> Result<(), JobError> {
        if count > 0 {
            self.bucket.delete((0..count).map(|object| key_of_piece(id, object)).collect()).await?;
        }
        Ok(())
    }
}

/// The progress of a part that has changed nothing.
fn loaded(job: &Job, part: usize, report: FileReport) -> Progress {
    let patients = ChangedPatients::default();
    Progress::Loaded(Box::new(LoadedPart { job: job.id.clone(), client: job.client.clone(), part, report, patients }))
}

/// An id that follows from these texts.
fn id_of(parts: &[&str]) -> String {
    let digest = parts.iter().fold(Sha256::new(), |digest, part| {
        digest.chain_update((part.len() as u64).to_be_bytes()).chain_update(part.as_bytes())
    });
    encode_string(digest.finalize().get(..16).unwrap_or_default())
}

/// The servers that the resources of a job come from.
fn sources_of(job: &Job) -> Sources {
    let sources = Sources::named(job.source.as_deref());
    match &job.referred {
        Some(referred) => sources.of_part(referred.clone()),
        None => sources,
    }
}

fn is_gzip(file: &str) -> bool {
    file.ends_with(".gz")
}

fn status_of(job: &Job, parts: Vec<Part>) -> JobStatus {
    let of_file = |part: &&Part| part.number > 0;
    let all = parts.iter().filter(of_file).count();
    let done = parts.iter().filter(of_file).filter(|part| part.report.is_some()).count();
    let reports = parts.into_iter().filter_map(|part| part.report);
    let report = reports.fold(FileReport::default(), FileReport::and);
    JobStatus {
        id: job.id.clone(),
        status: match (job.ended_at, report.faults.is_empty()) {
            (None, _) => "in-progress",
            (Some(_), true) => "completed",
            (Some(_), false) => "completed-with-faults",
        },
        created: crate::fhir::instant(job.created_at),
        ended: job.ended_at.map(crate::fhir::instant),
        bytes: job.bytes,
        parts: job.is_divided.then_some(all),
        parts_done: done,
        report,
    }
}
