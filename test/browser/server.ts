import { prepareServer, startServer as startOn } from '../../scripts/own-server.ts';

export interface TestServer {
  readonly origin: string;
  /** The secret that seals tokens, such as those in unsubscribe links. */
  readonly sessionSecret: string;
  readonly operatorKey: string;
  stop(): Promise<void>;
}

export const demo = { password: 'demo-password-1', owner: 'owner@demo.test', member: 'member@demo.test' };

/** Returns the server that run.ts started, or starts one if the file is run by itself. */
export async function openServer(): Promise<TestServer> {
  const {
    EDGEWORK_TEST_ORIGIN: origin,
    EDGEWORK_TEST_SECRET: sessionSecret,
    EDGEWORK_TEST_OPERATOR_KEY: operatorKey = '',
  } = process.env;
  const stop = async () => undefined;
  return origin && sessionSecret ? { origin, sessionSecret, operatorKey, stop } : startServer();
}

/** Uses a free local port. `stop` shuts down the server and deletes its data. */
export async function startServer(): Promise<TestServer> {
  const prepared = await prepareServer('browser-test');
  try {
    const server = await startOn(prepared);
    const stop = async () => {
      await server.stop();
      prepared.remove();
    };
    const { origin, sessionSecret, operatorKey } = prepared;
    return { origin, sessionSecret, operatorKey, stop };
  } catch (error) {
    prepared.remove();
    throw error;
  }
}
