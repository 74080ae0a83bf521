/**
 * The only timeout of tests. It ends tests that hang, and is much more than ten times what the slowest test takes, so
 * that no test fails on a busy machine. Measure speed in bench/.
 */
export const HANG_MS = 600_000;
const POLL_MS = 50;

/** Waits until the condition is true. */
export async function pollUntil(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + HANG_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Timed out waiting for ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
