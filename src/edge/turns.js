// Work in turns: each turn takes what the promise came to that the last one gave, and gives the next; the last gives none.
// Where the signal says that nobody waits for it any more, the work ends with the turn that it is in.
export function inTurns(work, signal) {
  const gone = () => {
    work.free();
    return new Response(null, { status: 499 });
  };
  const after = (promise) => promise?.then(
    (value) => (signal?.aborted ? gone() : after(work.resolve(value))),
    (reason) => (signal?.aborted ? gone() : after(work.reject(reason))),
  ) ?? work.outcome();
  return after(work.resolve());
}
