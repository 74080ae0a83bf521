// The server that is recorded: started by the checkout that it belongs to, so that an older one can be asked the same.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Prepared {
  readonly origin: string;
  remove(): void;
}

/** All that is asked of a checkout: these two, by these names. */
interface OwnServer {
  prepareServer(name: string): Promise<Prepared>;
  startServer(prepared: Prepared): Promise<{ stop(): Promise<void>; output(): string }>;
}

/** Runs `work` on a server with fresh databases that hold the demo. */
export async function withServer<T>(checkout: string, work: (origin: string) => Promise<T>): Promise<T> {
  const { prepareServer, startServer } = await load(checkout);
  const prepared = await prepareServer('record');
  try {
    const server = await startServer(prepared);
    try {
      return await work(prepared.origin);
    } finally {
      await server.stop();
    }
  } finally {
    prepared.remove();
  }
}

async function load(checkout: string): Promise<OwnServer> {
  const paths = ['own-server.ts', 'own-server.mjs'].map((name) => join(checkout, 'scripts', name));
  const path = paths.find((each) => existsSync(each));
  if (!path) throw new Error(`${checkout} has no scripts/own-server; name a checkout of this project`);
  return import(pathToFileURL(path).href) as Promise<OwnServer>;
}
