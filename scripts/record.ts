// `npm run record -- <file>`: sends some hundred requests of every kind to a server of its own and writes the answers down,
// with names in the place of ids, times and secrets. -- --server <directory> records another checkout's server.
// `npm run record -- --compare <file> <file>`: prints how two records differ; exits 1 where they do.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compare, type Recording } from './record/compare.ts';
import { recordAll } from './record/run.ts';
import { withServer } from './record/server.ts';

const DIFFERENCES_SHOWN = 100;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { server: { type: 'string' }, compare: { type: 'boolean', default: false } },
});
const files = positionals.map(fromCaller);
if (values.compare) compareFiles();
else await record();

async function record() {
  const [file] = files;
  if (!file || files.length > 1) fail('Name one file to write: npm run record -- <file>');
  const checkout = values.server ? fromCaller(values.server) : resolve(import.meta.dirname, '..');
  const { recording, gaps } = await withServer(checkout, (origin) => recordAll(origin));
  writeFileSync(file, `${JSON.stringify(recording, null, 1)}\n`);
  console.log(`${recording.entries.length} requests are recorded in ${file}.`);
  if (gaps.length > 0) fail(`The record has gaps:\n${gaps.join('\n')}`);
}

function compareFiles() {
  const [before, after] = files;
  if (!before || !after || files.length > 2)
    fail('Name two records: npm run record -- --compare <file> <file>');
  const differences = compare(read(before), read(after));
  for (const each of differences.slice(0, DIFFERENCES_SHOWN)) console.log(each);
  if (differences.length > 0) fail(`${differences.length} differences`);
  console.log('The records are equal.');
}

function read(file: string): Recording {
  if (!existsSync(file)) fail(`There is no file ${file}`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** As the caller meant it: npm changes the directory. */
function fromCaller(path: string): string {
  return resolve(process.env.INIT_CWD ?? '.', path);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
