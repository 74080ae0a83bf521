/**
 * The only timeout of tests. It ends tests that hang, and is more than ten times as long as the slowest test,
 * so no test fails on a busy machine. Measure speed in bench/.
 */
export const HANG_MS = 600_000;
const POLL_MS = 50;

/** Waits until the condition is true. */
export async function pollUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + HANG_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Timed out waiting for ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
