import { crc32 } from 'node:zlib';
import { send } from '../support/api.ts';

interface ArchiveFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface Manifest {
  readonly format: string;
  readonly formatVersion: number;
  readonly workspace: { readonly id: string; readonly name: string };
  readonly includesFiles: boolean;
  readonly records: Readonly<Record<string, number>>;
  readonly files: readonly {
    readonly path: string;
    readonly status: string;
    readonly bytes: number;
    readonly sha256: string | null;
    readonly records?: number;
  }[];
}

export interface Archive {
  readonly files: ReadonlyMap<string, ArchiveFile>;
  readonly manifest: Manifest;
  readonly text: (path: string) => string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the table that it reads.
  readonly lines: (table: string) => any[];
}

/** Downloads an archive, and checks its sizes, checksums and hashes without code of the app. */
export async function downloadArchive(url: string): Promise<Archive> {
  const response = await send(new Request(url));
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return readArchive(new Uint8Array(await response.arrayBuffer()));
}

async function readArchive(zip: Uint8Array<ArrayBuffer>): Promise<Archive> {
  const files = new Map<string, ArchiveFile>();
  for (const file of await unzip(zip)) {
    if (files.has(file.path)) throw new Error(`${file.path} is in the archive twice`);
    files.set(file.path, file);
  }
  const text = (path: string) => {
    const file = files.get(path);
    if (!file) throw new Error(`${path} is not in the archive`);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(file.bytes);
  };
  const manifest: Manifest = JSON.parse(text('manifest.json'));
  await checkManifest(manifest, files);
  const lines = (table: string) =>
    text(`${table}.jsonl`)
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return { files, manifest, text, lines };
}

async function checkManifest(manifest: Manifest, files: ReadonlyMap<string, ArchiveFile>): Promise<void> {
  const stored = manifest.files.filter(({ status }) => status !== 'missing').map(({ path }) => path);
  const found = [...files.keys()].filter((path) => path !== 'manifest.json');
  if (JSON.stringify(stored) !== JSON.stringify(found))
    throw new Error(`the manifest lists ${stored}; the archive has ${found}`);
  for (const { path, sha256, bytes } of manifest.files) {
    const file = files.get(path);
    if (!file) continue;
    const digest = await crypto.subtle.digest('SHA-256', file.bytes);
    if (Buffer.from(digest).toString('hex') !== sha256) throw new Error(`${path} has another hash`);
    if (file.bytes.length !== bytes) throw new Error(`${path} has another size`);
  }
}

async function unzip(zip: Uint8Array<ArrayBuffer>): Promise<ArchiveFile[]> {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const end = zip.length - 22;
  if (view.getUint32(end, true) !== 0x06054b50) throw new Error('the archive has no end');
  const files: ArchiveFile[] = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (view.getUint32(at, true) !== 0x02014b50) throw new Error('the directory is damaged');
    const [crc, packed, size] = [16, 20, 24].map((offset) => view.getUint32(at + offset, true));
    const [nameLength = 0, extraLength = 0] = [28, 30].map((offset) => view.getUint16(at + offset, true));
    const path = new TextDecoder().decode(zip.subarray(at + 46, at + 46 + nameLength));
    const start = view.getUint32(at + 42, true);
    if (view.getUint32(start, true) !== 0x04034b50) throw new Error(`${path} has no header`);
    const data = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
    const bytes = await inflate(zip.slice(data, data + (packed ?? 0)));
    if (bytes.length !== size || crc32(bytes) !== crc) throw new Error(`${path} is damaged`);
    files.push({ path, bytes });
    at += 46 + nameLength + extraLength;
  }
  if (at !== end) throw new Error('the directory has another size');
  return files;
}

async function inflate(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Response(packed).body?.pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
