//! A call of a tool. The Worker `reading` says which FHIR requests the tool needs, and what their answers mean; this
//! server answers each request under the grant of the call, as it would answer the client. So a tool tells of no record
//! that a search under the same grant would not.

use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::catalogue::open_types;
use crate::audit::Disclosure;
use crate::http::problem::Problem;
use crate::ports::ReadingPort;
use crate::query_context::QueryContext;
use crate::records::interactions::answer_request;
use fhir::{Id, Language, ResourceType, splice};
use store::Store;

/// The most matches of a request.
const MOST: usize = 1_000;
/// The most rounds of requests in a call, and the most requests in a round.
const MAX_ROUNDS: usize = 6;
const MAX_REQUESTS: usize = 16;
/// The most bytes of answers in a call. They are in memory several times.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// The parameters by which records are limited in time, in order: the first that a type has is used.
const DATES: [&str; 14] = [
    "authoredon",
    "date",
    "onset-date",
    "effective",
    "effective-time",
    "whenhandedover",
    "occurrence",
    "authored",
    "period",
    "start-date",
    "created",
    "service-date",
    "recorded-date",
    "recorded",
];

/// The outcome of a call.
#[derive(Debug)]
pub enum Outcome {
    /// The result.
    Result(Told),
    /// The reason for which there is none, in words.
    Refusal(String),
}

/// The result of a call.
#[derive(Debug)]
pub struct Told {
    /// A JSON object.
    pub result: String,
    /// The facts in it (`reading/tools/receipt.ts`), the most important first.
    pub facts: Vec<Value>,
}

/// The next step of a call, as the Worker says it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Step {
    Requests(Vec<String>),
    Told { result: Box<RawValue>, facts: Vec<Value> },
    Refusal(String),
}

/// Calls a tool with arguments that fit its schema, and with the types of which the chart has open records, if they are
/// known. `disclosure` records the patients and the names of parameters.
///
/// # Errors
/// If the grant has ended, or if the store or the Worker does not answer.
pub async fn call<S: Store>(
    store: &S,
    reading: &dyn ReadingPort,
    (tool, arguments, of_chart): (&str, &Map<String, Value>, Option<Vec<ResourceType>>),
    (context, language): (QueryContext<'_>, Language),
    disclosure: &mut Disclosure,
) -> Result<Outcome, Problem> {
    let context = QueryContext { most: MOST, ..context };
    let names = |types: &[ResourceType]| types.iter().map(|one| one.name()).collect::<Vec<_>>();
    let types = open_types(context.grant, false);
    let partly: Vec<_> = types.iter().copied().filter(|one| context.grant.opens_partly(*one)).collect();
    let of_type = arguments.get("type").and_then(Value::as_str).and_then(ResourceType::parse);
    let dated = of_type.unwrap_or(ResourceType::Observation);
    let date = DATES.into_iter().find(|name| context.index.named(dated, name).is_some());
    let head = json!({
        "tool": tool, "arguments": arguments, "language": language.tag(), "now": context.moment.instant(),
        "base": context.base, "patient": context.grant.patient.as_ref().map(Id::as_str),
        "types": names(&types), "partly": names(&partly), "chart": of_chart.as_deref().map(names), "date": date,
    });
    let head = head.to_string();
    let head = head.strip_suffix('}').unwrap_or(&head);
    let (mut rounds, mut size) = (Vec::new(), 0);
    while rounds.len() <= MAX_ROUNDS {
        let text = [head, ",\"rounds\":[", &rounds.join(","), "]}"].concat();
        let step = reading.ask("tool", text).await.map_err(Problem::Reading)?;
        let step = serde_json::from_str(&step).map_err(|error| Problem::Reading(error.to_string()))?;
        let requests: Vec<String> = match step {
            Step::Requests(requests) if requests.len() <= MAX_REQUESTS => requests,
            Step::Requests(_) => break,
            Step::Told { result, facts } => {
                return Ok(Outcome::Result(Told { result: result.get().to_owned(), facts }));
            }
            Step::Refusal(why) => return Ok(Outcome::Refusal(why)),
        };
        let answers = join_all(requests.iter().map(|request| answer(store, request, context))).await;
        let mut round = Vec::with_capacity(answers.len());
        for one in answers {
            let (text, of_one) = one?;
            size += text.len();
            round.push(text);
            disclosure.add(of_one);
        }
        if size > MAX_BYTES {
            let text = "The records are too large for this tool. Ask with query and filters, or open them in an app.";
            return Ok(Outcome::Refusal(text.to_owned()));
        }
        rounds.push(["[", &round.join(","), "]"].concat());
    }
    Err(Problem::Reading("a tool makes too many requests".to_owned()))
}

/// Answers a request of a tool, as JSON with the status and the body. A request that is refused is an answer, too.
async fn answer<S: Store>(
    store: &S,
    request: &str,
    context: QueryContext<'_>,
) -> Result<(String, Disclosure), Problem> {
    let mut disclosure = Disclosure::default();
    let (status, body) = match answer_request(store, request, context, &mut disclosure).await {
        Ok(reply) => (reply.status, splice(reply.body)),
        Err(problem @ (Problem::Denied(_) | Problem::Bad(_) | Problem::NotFound | Problem::NoRoute)) => {
            let reply = problem.reply::<String>();
            (reply.status, splice(reply.body))
        }
        Err(problem) => return Err(problem),
    };
    Ok((["{\"status\":", &status.to_string(), ",\"body\":", &body, "}"].concat(), disclosure))
}
