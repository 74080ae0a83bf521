import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from '../databases.ts';
import { clientPrograms } from './client-programs.ts';

export interface ClientCheckResult {
  readonly name: string;
  readonly problems: readonly string[];
}

interface ProgramResult {
  readonly isFine: boolean;
  readonly output: string;
}

/**
 * Hey API copies its runtime next to its output. That runtime doesn't compile with `exactOptionalPropertyTypes`
 * (hey-api issue 2363).
 */
const FOREIGN_RUNTIME_PATTERN = /^hey-api\/(client|core)\//;
/**
 * Generates a client with each generator, and writes the programs that use the clients. `baseUrl` is the URL of `/v1`,
 * which orval writes into its client.
 */
export async function generateClients(
  tools: string,
  folder: string,
  document: string,
  baseUrl: string,
): Promise<ClientCheckResult[]> {
  const orval = join(folder, 'orval.config.mjs');
  const output = { target: join(folder, 'orval', 'index.ts'), client: 'fetch', baseUrl };
  writeFileSync(orval, `export default ${JSON.stringify({ edgework: { input: document, output } })};\n`);
  const runs = [
    [
      'openapi-typescript',
      'openapi-typescript',
      [document, '-o', join(folder, 'openapi-typescript', 'index.ts')],
    ],
    ['Hey API', 'openapi-ts', ['-i', document, '-o', join(folder, 'hey-api'), '-c', '@hey-api/client-fetch']],
    ['orval', 'orval', ['--config', orval]],
  ] as const;
  mkdirSync(join(folder, 'openapi-typescript'), { recursive: true });
  for (const [name, text] of Object.entries(clientPrograms)) writeFileSync(join(folder, `${name}.ts`), text);
  const results: ClientCheckResult[] = [];
  for (const [name, program, args] of runs) {
    const { isFine, output: printed } = await run(join(tools, program), args, folder);
    results.push({ name: `${name} generates a client`, problems: isFine ? [] : [printed] });
  }
  return results;
}

/**
 * Compiles with `exactOptionalPropertyTypes`, ignoring errors in Hey API's runtime, which doesn't support that option.
 * Then compiles everything without the option.
 */
export async function compileClients(tools: string, folder: string): Promise<ClientCheckResult[]> {
  const newest = join(root, 'node_modules', '.bin', 'tsc');
  const withoutForeign = (errors: readonly string[]) =>
    errors.filter((line) => !FOREIGN_RUNTIME_PATTERN.test(line));
  return [
    {
      name: 'TypeScript 5 compiles them with exactOptionalPropertyTypes',
      problems: withoutForeign(await compile(join(tools, 'tsc'), folder, true)),
    },
    {
      name: 'TypeScript 7 compiles them with exactOptionalPropertyTypes',
      problems: withoutForeign(await compile(newest, folder, true)),
    },
    {
      name: "TypeScript 7 compiles them with strict, including Hey API's runtime",
      problems: await compile(newest, folder, false),
    },
  ];
}

async function compile(compiler: string, folder: string, isExact: boolean): Promise<string[]> {
  const config = join(folder, `tsconfig.${isExact ? 'exact' : 'strict'}.json`);
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: isExact,
    noEmit: true,
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
  const { isFine, output } = await run(compiler, ['-p', config, '--pretty', 'false'], folder);
  const errors = output.split('\n').filter((line) => /error TS\d+/.test(line));
  return !isFine && errors.length === 0 ? [output] : errors;
}

/** Lets each client create a task, read it, and read two of its fields. */
export async function callWithClients(
  folder: string,
  baseUrl: string,
  token: string,
): Promise<ClientCheckResult[]> {
  const results: ClientCheckResult[] = [];
  for (const name of Object.keys(clientPrograms)) {
    const outfile = join(folder, `${name}.mjs`);
    await build({
      entryPoints: [join(folder, `${name}.ts`)],
      outfile,
      bundle: true,
      format: 'esm',
      logLevel: 'error',
    });
    const { call } = (await import(pathToFileURL(outfile).href)) as {
      call: (baseUrl: string, token: string) => Promise<unknown>;
    };
    const got = JSON.stringify(await call(baseUrl, token).catch((error: unknown) => String(error)));
    const expected = JSON.stringify({ name: 'Generated', status: 'todo', fields: ['id', 'name'], listed: 1 });
    results.push({
      name: `${name} creates and reads a task`,
      problems: got === expected ? [] : [`expected ${expected}; got ${got}`],
    });
  }
  return results;
}

export async function importIntoPostman(
  tools: string,
  folder: string,
  document: string,
): Promise<ClientCheckResult> {
  const collection = join(folder, 'postman.json');
  const { isFine, output } = await run(
    join(tools, 'openapi2postmanv2'),
    ['-s', document, '-o', collection],
    folder,
  );
  const name = 'Postman imports every operation';
  if (!isFine) return { name, problems: [output] };
  const { paths } = JSON.parse(readFileSync(document, 'utf8')) as { paths: Record<string, object> };
  const operations = Object.values(paths).flatMap((each) => Object.keys(each)).length;
  const requests = [...readFileSync(collection, 'utf8').matchAll(/"request":\s*\{\s*"name":/g)].length;
  return {
    name,
    problems: operations === requests ? [] : [`${operations} operations became ${requests} requests`],
  };
}

/** Runs without blocking, because blocking would break the server's connections. */
export function run(program: string, args: readonly string[], folder: string): Promise<ProgramResult> {
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ isFine: error === null, output: `${stdout}${stderr}` || String(error) }),
    );
  });
}
