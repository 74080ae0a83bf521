import { prepareServer, startServer as startOn } from '../../scripts/own-server.ts';

/** A server that tests talk to. */
export interface TestServer {
  readonly origin: string;
  stop(): Promise<void>;
}

export const demo = { password: 'demo-password-1', owner: 'owner@demo.test', member: 'member@demo.test' };

/** The server of this run: the one that run.ts started, or a new one where a file is run by itself. */
export async function openServer(): Promise<TestServer> {
  const shared = process.env.EDGEWORK_TEST_ORIGIN;
  return shared ? { origin: shared, stop: async () => undefined } : startServer();
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
    return { origin: prepared.origin, stop };
  } catch (error) {
    prepared.remove();
    throw error;
  }
}
