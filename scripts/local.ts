// What servers on this machine need: secrets, a port, flags of V8.
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** Variables of a server on this machine, new ones at each call. */
export function localSecrets() {
  return {
    SESSION_SECRET: randomBytes(48).toString('base64url'),
    ENVIRONMENT: 'local',
    EXPOSE_COST: 'true',
    // Of the local emulation of R2, as wrangler.toml has them.
    R2_ACCESS_KEY_ID: 'local',
    R2_SECRET_ACCESS_KEY: 'only-for-the-local-emulation',
  };
}

/** The port that a server listens on. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
  return address.port;
}

/** A port of this machine that nothing listens on. */
export function freePort(): Promise<number> {
  const probe = createServer();
  return new Promise((done, fail) => {
    probe.once('error', fail);
    probe.listen({ port: 0, host: '127.0.0.1' }, () => {
      const port = portOf(probe);
      probe.close(() => done(port));
    });
  });
}

/**
 * Makes V8 collect early, and all of it. A request leaves some 30 KiB of the runtime's own memory behind (and a piece of a
 * file its buffer) that V8 does not count: by itself it waits for hundreds of MiB, in which a leak would not be seen. The
 * price is half of the requests a second, which nothing on a developer's machine needs; the bench measures speed without.
 */
export const COLLECT_EARLY =
  '--gc-global --single-threaded-gc --min-semi-space-size=1 --max-semi-space-size=1';
