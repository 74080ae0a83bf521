// Waits until the deployed service is healthy. A custom domain gets its certificate minutes after the first deployment.

import { DeployError, formatList } from './configuration.ts';

const POLL_MS = 3_000;
const PROGRESS_MS = 30_000;
const KNOWN_DOMAIN_MS_MAX = 30_000;
const NEW_DOMAIN_MS_MAX = 600_000;

export interface HealthTools {
  /**
   * Returns null if `GET /health` returns 200. Otherwise, returns a description of the problem.
   * @param key the deployment's HEALTH_KEY, with which /health checks every database and the bucket
   */
  probe(origin: string, key?: string): Promise<string | null>;
  now(): number;
  sleep(ms: number): Promise<unknown>;
  print(text: string): void;
}

/**
 * Throws if the service doesn't become healthy in time.
 * @param wasHealthy true if the service was healthy before the deployment, so that it can be rolled back
 */
export async function waitUntilHealthy(
  origin: string,
  wasHealthy: boolean,
  { probe, now, sleep, print }: HealthTools,
): Promise<void> {
  const startedAt = now();
  const msMax = wasHealthy ? KNOWN_DOMAIN_MS_MAX : NEW_DOMAIN_MS_MAX;
  let nextProgress = PROGRESS_MS;
  for (;;) {
    const problem = await probe(origin);
    if (problem === null) return;
    const ms = now() - startedAt;
    if (ms >= msMax)
      throw new DeployError(wasHealthy ? suggestRollback(origin, problem) : suggestChecks(origin, problem));
    if (ms >= nextProgress) {
      print(
        `Waiting for ${origin}/health, ${formatMinutes(ms)} of up to ${formatMinutes(msMax)} minutes: ${problem}`,
      );
      nextProgress += PROGRESS_MS;
    }
    await sleep(POLL_MS);
  }
}

function suggestRollback(origin: string, problem: string): string {
  return `Deployed, but ${origin}/health doesn't return 200: ${problem}. See \`npx wrangler tail --status error\`; \`npx wrangler rollback\` returns to the previous version.`;
}

function suggestChecks(origin: string, problem: string): string {
  const { hostname } = new URL(origin);
  return formatList(
    `Deployed, but ${origin}/health didn't return 200 within ${formatMinutes(NEW_DOMAIN_MS_MAX)} minutes: ${problem}. Check:`,
    [
      `routes in wrangler.toml has ${hostname} with custom_domain = true (docs/deploy.md, section 8)`,
      `the zone of ${hostname} is in this account, and active`,
      `the zone had no DNS record of its own for ${hostname}`,
      'the certificate in the zone under SSL/TLS, Edge Certificates; some take longer',
      'errors of the Worker: npx wrangler tail --status error',
      `Once ${origin}/health returns 200, the deployment is complete. Otherwise, fix the problem and run the same command again.`,
    ],
  );
}

function formatMinutes(ms: number): string {
  return String(Math.round(ms / 6_000) / 10);
}
