// Runs `ew` as people and scripts do: the file that the server provides, in its own process, with or without a
// terminal.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HANG_MS } from '../support/timeout.ts';
import { demo } from './server.ts';
import { getAddressHeaders } from './visit.ts';

export interface RunOptions {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Runs the command in a terminal that is 100 columns wide. */
  readonly isInTerminal?: boolean;
}

export interface FinishedRun {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

export class CommandLine {
  readonly folder = mkdtempSync(join(tmpdir(), 'edgework-ew-'));
  readonly file = join(this.folder, 'ew.mjs');
  readonly profiles = join(this.folder, 'config', 'profiles.json');
  /** The arguments of every command that succeeded. */
  readonly succeeded: (readonly string[])[] = [];
  readonly #origin: string;
  token = '';

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Downloads `ew`, and creates an API key for it. */
  async prepare(): Promise<void> {
    writeFileSync(this.file, await (await fetch(`${this.#origin}/ew.mjs`)).text());
    const { token } = await this.callApi('POST', '/auth/login', {
      email: demo.owner,
      password: demo.password,
    });
    this.token = token;
    this.token = (await this.callApi('POST', '/connected-apps/api-keys', { name: 'ew' })).key;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  // biome-ignore lint/suspicious/noExplicitAny: the responses of several endpoints.
  async callApi(method: string, path: string, body?: object): Promise<any> {
    const response = await fetch(`${this.#origin}/v1${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        // Sign-ins are rate-limited by IP address, so these requests have their own address.
        ...getAddressHeaders('ew'),
        ...(this.token && { Authorization: `Bearer ${this.token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }

  start(
    args: readonly string[],
    { environment = {}, cwd = this.folder, isInTerminal = false }: RunOptions = {},
  ) {
    const command = [process.execPath, this.file, ...args];
    const quoted = command.map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(' ');
    const [program = '', ...rest] = isInTerminal
      ? ['script', '-qefc', `stty cols 100; ${quoted}`, '/dev/null']
      : command;
    const child = spawn(program, rest, {
      cwd,
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        EW_CONFIG: this.profiles,
        EW_URL: this.#origin,
        EW_TOKEN: this.token,
        ...environment,
      },
    });
    const printed = { output: '', errors: '' };
    child.stdout.on('data', (part) => {
      printed.output += part;
    });
    child.stderr.on('data', (part) => {
      printed.errors += part;
    });
    const finished = new Promise<FinishedRun>((resolve) =>
      child.once('close', (code) => {
        if (code === 0) this.succeeded.push(args);
        resolve({ code, ...printed });
      }),
    );
    return { child, printed, finished };
  }

  run(args: readonly string[], options: RunOptions = {}): Promise<FinishedRun> {
    const { child, finished } = this.start(args, options);
    // Closing a terminal's input would end the command.
    if (!options.isInTerminal) child.stdin.end(options.input ?? '');
    return finished;
  }

  /** Runs a command with `--json`, checks that it succeeds, and returns the parsed output. */
  // biome-ignore lint/suspicious/noExplicitAny: the output of several commands.
  async runJson(args: readonly string[], options?: RunOptions): Promise<any> {
    const { code, output, errors } = await this.run([...args, '--json'], options);
    assert.equal(code, 0, `ew ${args.join(' ')}: ${errors}`);
    return JSON.parse(output);
  }
}

/** For commands that use profiles rather than the API key. */
export const withProfiles: RunOptions = { environment: { EW_URL: '', EW_TOKEN: '' } };

export async function waitUntil(isReached: () => unknown, describeFailure: () => string): Promise<void> {
  for (const end = Date.now() + HANG_MS; !isReached(); await sleep(50))
    assert.ok(Date.now() < end, describeFailure());
}
