//! Messages of errors.

/** Returns the message of anything that was thrown. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs something. Sets a signal to the reason if it fails, and to `undefined` before. */
export async function attempt(problem: { value: string | undefined }, run: () => unknown): Promise<void> {
  problem.value = undefined;
  try {
    await run();
  } catch (error) {
    problem.value = errorText(error);
  }
}
