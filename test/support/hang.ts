/**
 * The one limit of tests: it ends a hang. It is far more than ten times what the slowest takes, so that no test fails because
 * its machine is busy. How fast something is belongs into bench/.
 */
export const HANG_MS = 600_000;
const AGAIN_MS = 50;

/** Waits until something holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + HANG_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
