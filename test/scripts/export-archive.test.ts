import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type ArchiveState, ArchiveWriter, emptyArchive } from '../../src/exports/archive/archive-writer.ts';
import { buildDirectoryEnd, buildDirectoryHeader } from '../../src/exports/archive/zip.ts';

const TIME = Date.UTC(2026, 2, 2, 9, 30, 10);
const folder = mkdtempSync(join(tmpdir(), 'edgework-archive-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const hasProgram = (name: string) => {
  try {
    execFileSync(name, ['-h'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
};
const readers: Readonly<Record<string, (path: string) => void>> = {
  python3: (path) => {
    const output = execFileSync('python3', ['-m', 'zipfile', '-t', path], { encoding: 'utf8' });
    assert.match(output, /Done testing/);
  },
  unzip: (path) => {
    execFileSync('unzip', ['-tqq', path]);
  },
};

/** Writes an archive whose first `start` bytes are a hole, so that large offsets need no space. */
function writeArchive(name: string, write: (writer: ArchiveWriter) => void, start = 0): string {
  const path = join(folder, name);
  const state: ArchiveState = { ...emptyArchive, bytes: start };
  const writer = new ArchiveWriter(state, { time: TIME, pending: null });
  write(writer);
  const entries = writer.takeWritten();
  const directory = writer.state.bytes;
  for (const entry of entries) writer.append(buildDirectoryHeader(entry, writer.time));
  writer.append(buildDirectoryEnd({ entries: entries.length, start: directory, end: writer.state.bytes }));
  const file = openSync(path, 'w');
  const bytes = writer.take(writer.pendingBytes);
  writeSync(file, bytes, 0, bytes.length, start);
  return path;
}

function addFile(writer: ArchiveWriter, path: string, pieces: readonly string[], bytesExpected = 0): void {
  writer.openEntry(path, bytesExpected);
  for (const piece of pieces) writer.write(new TextEncoder().encode(piece), 'text', 1);
  writer.closeEntry('file');
}

const LINES = Array.from({ length: 300 }, (_, index) => `{"id":${index},"name":"Grüße 🎉"}\n`);
const cases: Readonly<Record<string, () => string>> = {
  'files that were written in pieces, empty files and names in every script': () =>
    writeArchive('pieces.zip', (writer) => {
      addFile(writer, 'tasks.jsonl', LINES);
      addFile(writer, 'empty.jsonl', []);
      addFile(writer, 'files/1-Übersicht 東京 🎉.txt', ['x']);
    }),
  'more than 65,535 files': () =>
    writeArchive('many.zip', (writer) => {
      for (let index = 0; index < 66_000; index += 1) addFile(writer, `files/${index}.txt`, []);
    }),
  'a file that may have more than 4 GB': () =>
    writeArchive('large.zip', (writer) => addFile(writer, 'files/large.bin', LINES, 5_000_000_000)),
  'offsets of more than 4 GB': () =>
    writeArchive('far.zip', (writer) => addFile(writer, 'tasks.jsonl', LINES), 5_000_000_000),
};

for (const [name, read] of Object.entries(readers)) {
  for (const [content, write] of Object.entries(cases)) {
    test(`${name} reads ${content}`, { skip: !hasProgram(name) && `${name} isn't installed` }, () => {
      read(write());
    });
  }
}

test('python3 reads the same text', { skip: !hasProgram('python3') && "python3 isn't installed" }, () => {
  const path = cases['offsets of more than 4 GB']?.() ?? '';
  const program =
    'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read("tasks.jsonl"))';
  assert.equal(execFileSync('python3', ['-c', program, path], { encoding: 'utf8' }), LINES.join(''));
});
