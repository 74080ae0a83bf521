/**
 * The only timeout of tests, more than ten times as long as the slowest test. It ends tests that hang, and never fails
 * a test on a busy machine. Measure speed in bench/.
 */
export const HANG_MS = 600_000;
const POLL_MS = 50;

export async function pollUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + HANG_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Timed out waiting for ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
