import { prepareServer, startServer as startOn } from '../../scripts/own-server.ts';

/** A server that tests talk to. */
export interface TestServer {
  readonly origin: string;
  /** Seals what links in mails hold. */
  readonly sessionSecret: string;
  stop(): Promise<void>;
}

export const demo = { password: 'demo-password-1', owner: 'owner@demo.test', member: 'member@demo.test' };

/** The server of this run: the one that run.ts started, or a new one where a file is run by itself. */
export async function openServer(): Promise<TestServer> {
  const { EDGEWORK_TEST_ORIGIN: origin, EDGEWORK_TEST_SECRET: sessionSecret } = process.env;
  return origin && sessionSecret ? { origin, sessionSecret, stop: async () => undefined } : startServer();
}

/** Starts a server on a free port of this machine. `stop` ends it and removes what it stored. */
export async function startServer(): Promise<TestServer> {
  const prepared = await prepareServer('browser-test');
  try {
    const server = await startOn(prepared);
    const stop = async () => {
      await server.stop();
      prepared.remove();
    };
    return { origin: prepared.origin, sessionSecret: prepared.sessionSecret, stop };
  } catch (error) {
    prepared.remove();
    throw error;
  }
}
