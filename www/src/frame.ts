//! When things are drawn: many wishes become one drawing in the next frame, and long work lets the page breathe.

/** A function that, however often it is called, runs `draw` once in the next frame. */
export function framed(draw: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    // A hidden page has no frames, but must still be right when it is looked at.
    const next = document.hidden ? (run: () => void) => setTimeout(run, 0) : requestAnimationFrame;
    next(() => {
      waiting = false;
      draw();
    });
  };
}

/** Gives typing and scrolling their turn. */
export function breath(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } };
  return scheduler?.yield
    ? scheduler.yield()
    : new Promise((done) => {
        setTimeout(done, 0);
      });
}

/** A function that waits until nobody has called it for a while. */
export function settled<A extends unknown[]>(run: (...args: A) => void, milliseconds: number): (...args: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), milliseconds);
  };
}
