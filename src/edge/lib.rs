//! The Cloudflare Worker, the only module that uses the runtime of Workers. It turns requests into
//! [`api::Call`]s and replies into responses.

#![cfg(target_arch = "wasm32")]

mod assets;
mod bucket;
mod clock;
mod configured_store;
mod crypto;
mod d1;
mod env;
mod ffi;
mod http;
mod jobs;
mod js;
mod kv;
mod measure;
mod outgoing;
mod rate_limit;
mod reading;
mod rehearsal;
mod text;

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use serde_json::{Value, json};
use web_sys::{AbortSignal, Request, Response};
use worker::{
    Context, Env, MessageBatch, MessageExt, QueueRetryOptionsBuilder, ScheduleContext, ScheduledEvent, console_error,
    console_log, event,
};

use api::{
    self, AppContext, AssetPort, Call, Environment, IngestPort, Log, Measurement, Moment, ReadingPort, Reply,
    RequestTarget,
};
use assets::Assets;
use auth_store::SqlAuthStore;
use clock::{OF_CHANGES, now};
use configured_store::ConfiguredStore;
use d1::D1;
use database::{RAISE_CORRECTIONS, Statement};
use fhir::Micros;
use http::IncomingRequest;
use ingest::{self, FileReport, Reindexed};
use job::{DonePart, JobError, Message as JobMessage, Progress};
use jobs::Received;
use measure::memory;
use reading::Reading;
use store::{GrantCheckedStore, ShardMapCache};
use text::Text;

/// Answers a request. A read stops if its caller disconnects; any other request is finished.
#[event(fetch)]
async fn fetch(request: Request, env: Env, _: Context) -> worker::Result<Response> {
    let signal = request.signal();
    let incoming = IncomingRequest::from(request);
    let target = incoming.target();
    let answer = answer(&incoming, target, &env);
    let response =
        if target.route.is_some_and(|route| route.is_read) { until_gone(&signal, answer).await } else { answer.await };
    response.or_else(|fault| {
        console_error!("{}", json!({"event": "fault", "status": 500, "detail": fault.to_string()}));
        http::failure_response()
    })
}

/// Polls the work until its caller disconnects. The work is then dropped, and the answer is 499.
async fn until_gone(
    caller: &AbortSignal,
    work: impl Future<Output = worker::Result<Response>>,
) -> worker::Result<Response> {
    let mut work = pin!(work);
    poll_fn(|context| {
        if caller.aborted() {
            return Poll::Ready(Ok(worker::Response::builder().with_status(499).empty().into()));
        }
        work.as_mut().poll(context)
    })
    .await
}

async fn answer(incoming: &IncomingRequest, target: RequestTarget<'_>, env: &Env) -> worker::Result<Response> {
    let headers = |name: &str| incoming.header(name);
    let moment = Moment { now: now(), random: http::random()? };
    let call = incoming.call(target, &headers, moment).await?;
    let isolate = match env::isolate(env) {
        Ok(isolate) => isolate,
        Err(fault) => {
            let reply = api::unconfigured(&target);
            http::log(&call, "", reply.as_ref().map_or(500, |reply| reply.status), &fault);
            return reply.map_or_else(http::failure_response, |reply| http::response(reply, None));
        }
    };
    if incoming.is_plain()
        && let Some(reply) = api::plain_http(&isolate.settings, &call)
    {
        return http::response(reply, None);
    }
    let (reply, Log { audit, detail, call: measured }) = answer_call(&isolate, env, incoming, &call).await;
    if let Some(detail) = detail {
        http::log(&call, measured.route, reply.status, &detail);
    }
    for line in audit {
        console_log!("{line}");
    }
    let bytes = http::length_of(&reply);
    let milliseconds = since(call.moment.now);
    isolate.recorder.record(&Measurement::Request { call: measured, milliseconds, bytes });
    let files = reply.stream.as_ref().and_then(|_| bucket::files_of(env));
    http::response(reply, files.as_ref())
}

async fn answer_call(
    isolate: &env::Isolate,
    env: &Env,
    incoming: &IncomingRequest,
    call: &Call<'_>,
) -> (Reply<Text>, Log) {
    let (auth_store, now) = (auth_store(isolate), call.moment.seconds());
    let primary = D1::primary(&isolate.auth_database);
    let of_call = |_| jobs::RequestPort::of(isolate, env, incoming, call.moment.now);
    let ingest = call.target.route.filter(|route| route.needs_jobs).and_then(of_call);
    let of_call = |_| jobs::exports(isolate, env, call.moment.now);
    let exports = call.target.route.filter(|route| route.needs_exports()).and_then(of_call);
    let reading = call.target.route.filter(|route| route.needs_reading()).and_then(|_| Reading::of(env));
    let assets = call.target.route.filter(|route| route.needs_assets()).and_then(|_| Assets::of(env));
    let app = AppContext {
        settings: &isolate.settings,
        keys: &isolate.keys,
        tokens: &isolate.tokens,
        store: GrantCheckedStore::new(ConfiguredStore::of(isolate, &call.moment), primary, &isolate.grants, now),
        auth_store: match isolate.settings.environment {
            Environment::Sandbox => auth_store,
            Environment::Production => auth_store.in_production(),
        },
        crypto: &isolate.crypto,
        documents: &isolate.documents,
        readiness: &isolate.readiness,
        ingest: ingest.as_ref().map(|port| port as &dyn IngestPort),
        export: exports.as_ref().map(|jobs| jobs as &dyn export::ExportPort),
        reading: reading.as_ref().map(|reading| reading as &dyn ReadingPort),
        assets: assets.as_ref().map(|assets| assets as &dyn AssetPort),
    };
    let answered = api::answer(&app, call).await;
    if app.auth_store.has_ended_access() {
        isolate.grants.forget();
        isolate.access_lists.forget();
    }
    answered
}

/// The maximum number of reindexing steps in one run. A step has about 35 queries; D1 allows an invocation 1,000.
const MAX_STEPS: usize = 20;
/// The milliseconds after which a run stops reindexing. An invocation by a cron trigger has 30 seconds of CPU.
const MAX_MILLISECONDS: f64 = 15_000.0;

/// Deletes expired rows of the auth store, and reindexes records that lack a parameter, at the times in `[triggers]` of
/// `wrangler.toml`.
#[event(scheduled)]
async fn scheduled(_: ScheduledEvent, env: Env, _: ScheduleContext) {
    let isolate = match env::isolate_of_jobs(&env) {
        Ok(isolate) => isolate,
        Err(detail) => return console_error!("{}", json!({"event": "scheduled", "detail": detail})),
    };
    let start = now();
    let purged = auth_store(&isolate).purge(start / 1_000_000).await.map_err(|fault| fault.0);
    if let Ok(false) = purged {
        console_error!("{}", json!({"event": "purge", "detail": "more rows have expired than one run deletes"}));
    }
    report_task(&isolate, "purge", start, purged);
    let start = now();
    report_task(&isolate, "resume", start, resume(&isolate, &env).await.map(|()| true));
    let start = now();
    report_task(&isolate, "reindex", start, reindex(&isolate).await);
}

/// Records the end of a task, and logs its fault. The task is done, or the next run must continue it.
fn report_task(isolate: &env::Isolate, name: &'static str, start: Micros, ended: Result<bool, String>) {
    let outcome = match ended {
        Ok(true) => "done",
        Ok(false) => "behind",
        Err(detail) => {
            console_error!("{}", json!({"event": name, "detail": detail}));
            "failed"
        }
    };
    isolate.recorder.record(&Measurement::Task { name, outcome, milliseconds: since(start) });
}

/// Reindexes records that lack a parameter, as many as a run has time for. Returns whether none is left.
async fn reindex(isolate: &env::Isolate) -> Result<bool, String> {
    if !matches!(isolate.records, env::StoreKind::D1) {
        return Ok(true);
    }
    let (map, start, mut steps) = (ShardMapCache::default(), js_sys::Date::now(), 0);
    let mut goes_on = || {
        steps += 1;
        steps <= MAX_STEPS && js_sys::Date::now() - start < MAX_MILLISECONDS
    };
    let databases = isolate.primary_databases(&map);
    let Some(done) =
        ingest::reindex(&databases, OF_CHANGES, &mut goes_on).await.map_err(|failure| failure.to_string())?
    else {
        return Ok(true);
    };
    let Reindexed { charts, resources, unread, is_finished } = done;
    for detail in unread {
        console_error!("{}", json!({"event": "reindex", "detail": detail}));
    }
    console_log!("{}", json!({"event": "reindex", "charts": charts, "resources": resources, "finished": is_finished}));
    if is_finished {
        raise_corrections(isolate).await?;
    }
    Ok(is_finished)
}

/// Makes each isolate read from the primary once, so that no replica undoes a correction.
async fn raise_corrections(isolate: &env::Isolate) -> Result<(), String> {
    let raise = Statement { text: RAISE_CORRECTIONS.to_owned(), binds: Vec::new() };
    D1::primary(&isolate.auth_database).run(&[raise]).await.map(|_| ()).map_err(|error| error.detail)
}

/// The seconds after which a failed message is retried.
const RETRY_SECONDS: u32 = 10;

/// The suffix of the name of the queue of messages that failed too often.
const DEAD: &str = "-failed";

/// Continues jobs (`jobs`). Each message is settled separately: the queue retries a failed message.
#[event(queue)]
async fn queue(batch: MessageBatch<JobMessage>, env: Env, _: Context) -> worker::Result<()> {
    let isolate = env::isolate_of_jobs(&env).map_err(|detail| {
        console_error!("{}", json!({"event": "job", "detail": detail}));
        worker::Error::RustError(detail)
    })?;
    let is_dead = batch.queue().ends_with(DEAD);
    for message in batch.iter() {
        // A message of an unknown kind was retried for a while. It does not end its job, which has not failed: the cron
        // trigger of a version that knows the kind sends another message.
        let read = message.ok().filter(|message| !is_dead || *message.body() != JobMessage::Unknown);
        let Some(message) = read else {
            // The error may quote the message, and the message may name a file.
            console_error!(
                "{}",
                json!({"event": "job", "detail": "a message cannot be read, or is of a kind that this version does not know"})
            );
            continue;
        };
        let (id, start) = (message.id(), now());
        let lag = since(message.timestamp().as_millis() as Micros * 1_000);
        let received = jobs::receive(&isolate, &env, message.body(), is_dead, start).await;
        if received.is_ok() {
            message.ack();
        }
        let (outcome, resources) = match received {
            Ok(Received::Export(progress)) => reported(progress, "export", is_dead, |part| {
                api::lines_of_export(part, start).iter().for_each(|line| console_log!("{line}"));
                let DonePart { job, part, report, .. } = part;
                let resources = report.resources;
                console_log!(
                    "{}",
                    json!({"event": "export", "job": job, "part": part, "resources": resources, "memory": memory()})
                );
                // The counted number is that of changed resources.
                ("exported", 0)
            }),
            Ok(Received::Load(progress)) => reported(progress, "job", is_dead, |part| {
                // The name of a file may name a patient, and is not logged.
                let DonePart { job, report, .. } = part;
                console_log!("{}", line_of(job, report));
                api::lines_of_part(part, start).iter().for_each(|line| console_log!("{line}"));
                ("loaded", (report.new + report.changed + report.deleted) as u64)
            }),
            Err(JobError(detail)) => {
                console_error!("{}", json!({"event": "job", "message": id, "detail": detail}));
                message.retry_with_options(&QueueRetryOptionsBuilder::new().with_delay_seconds(RETRY_SECONDS).build());
                ("failed", 0)
            }
        };
        isolate.recorder.record(&Measurement::Message { outcome, milliseconds: since(start), lag, resources });
    }
    Ok(())
}

/// Logs the progress of a message. Returns its outcome, and the number of changed resources that `done` returns.
fn reported<R, D>(
    progress: Progress<R, D>,
    event: &str,
    is_dead: bool,
    done: impl FnOnce(&DonePart<R, D>) -> (&'static str, u64),
) -> (&'static str, u64) {
    match progress {
        Progress::Done(part) => done(&part),
        Progress::Divided { job, parts } => {
            console_log!("{}", json!({"event": event, "job": job, "parts": parts, "memory": memory()}));
            ("divided", 0)
        }
        Progress::None if is_dead => ("dead", 0),
        Progress::None => ("nothing", 0),
    }
}

fn line_of(job: &str, report: &FileReport) -> Value {
    let FileReport { new, changed, same, older, deleted, faults, more_faults, .. } = report;
    json!({
        "event": "job", "job": job, "new": new, "changed": changed, "same": same, "older": older, "deleted": deleted,
        "faults": faults.len() + more_faults, "memory": memory(),
    })
}

/// Sends messages for the jobs without progress.
async fn resume(isolate: &env::Isolate, env: &Env) -> Result<(), String> {
    let sent = jobs::resume(isolate, env, now()).await.map_err(|JobError(detail)| detail)?;
    if sent > 0 {
        console_log!("{}", json!({"event": "resume", "jobs": sent}));
    }
    Ok(())
}

/// Returns the milliseconds since a time.
fn since(then: Micros) -> u64 {
    ((now() - then) / 1_000).try_into().unwrap_or_default()
}

/// Returns the auth store, on the primary of its database. It reads the ids of stored patients from the records.
fn auth_store(isolate: &env::Isolate) -> SqlAuthStore<D1<'_>> {
    SqlAuthStore::new(D1::primary(&isolate.auth_database)).with_directory(isolate.directory())
}
