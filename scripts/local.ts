import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:net';

export function createLocalSecrets() {
  return {
    SESSION_SECRET: randomBytes(48).toString('base64url'),
    OPERATOR_KEY: randomBytes(32).toString('base64url'),
    VAPID_PRIVATE_KEY: randomBytes(32).toString('base64url'),
    ENVIRONMENT: 'local',
    EXPOSE_COST: 'true',
    // The credentials of the local R2 emulation, as in wrangler.toml.
    R2_ACCESS_KEY_ID: 'local',
    R2_SECRET_ACCESS_KEY: 'only-for-the-local-emulation',
  };
}

/** For tests and benches, because databases are slower on a busy machine than in production. */
export const unlimitedBudgets = {
  DATABASE_BUDGET_FREE: '1000000',
  DATABASE_BUDGET_MEDIUM: '1000000',
  DATABASE_BUDGET_PRO: '1000000',
};

export function getPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error("The server isn't listening on a port");
  return address.port;
}

export function findFreePort(): Promise<number> {
  const probe = createServer();
  return new Promise((done, fail) => {
    probe.once('error', fail);
    probe.listen({ port: 0, host: '127.0.0.1' }, () => {
      const port = getPort(probe);
      probe.close(() => done(port));
    });
  });
}

/**
 * Makes V8 collect garbage early. Each request leaves about 30 KiB outside V8's heap. V8 doesn't count this memory, so
 * by default it lets hundreds of MiB accumulate, which hides leaks. These flags halve the requests per second, so they
 * aren't used to measure speed.
 */
export const EARLY_GC_FLAGS =
  '--gc-global --single-threaded-gc --min-semi-space-size=1 --max-semi-space-size=1';
