/**
 * The default timeout of tests. It ends tests that hang, but is more than ten times as long as the slowest test, so
 * that no test fails on a busy machine.
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
