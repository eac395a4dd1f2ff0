//! Scheduling: drawing once a frame, pauses in long work, waiting until typing has stopped.

/** Returns a function that runs `draw` once in the next frame, however often it is called. */
export function oncePerFrame(draw: () => void): () => void {
  let pending = false;
  const run = (): void => {
    pending = false;
    draw();
  };
  return () => {
    if (pending) return;
    pending = true;
    // A hidden page has no frames, but must still be right when it is looked at.
    if (document.hidden) setTimeout(run, 0);
    else requestAnimationFrame(run);
  };
}

/** Lets the page react to typing and scrolling before long work goes on. Not every browser has a scheduler. */
export function yieldToPage(): Promise<void> {
  return (
    window.scheduler?.yield?.() ??
    new Promise((done) => {
      setTimeout(done, 0);
    })
  );
}

/** Returns a function that runs once nobody has called it for some milliseconds. */
export function debounced<A extends unknown[]>(run: (...args: A) => void, milliseconds: number): (...args: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), milliseconds);
  };
}
