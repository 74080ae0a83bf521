/*
 * The records of a zip file (APPNOTE 6.3.10). Every entry is deflated, and followed by its sizes and checksum, because
 * these aren't known when the entry starts. Zip64 records appear only where numbers don't fit otherwise.
 */

/** From this size on, an entry's sizes may not fit in 32 bits once it is compressed. */
export const LARGE_ENTRY_BYTES = 4_000_000_000;
const UINT32_MAX = 0xffff_ffff;
const UINT16_MAX = 0xffff;
const DEFLATED = 8;
/** Bit 3: sizes and checksum follow the data. Bit 11: the path is UTF-8. */
const FLAGS = 0x0808;
const VERSION = 20;
const ZIP64_VERSION = 45;
/** Made by Unix, so that permissions are read from the external attributes. */
const MADE_BY = 3 << 8;
const REGULAR_FILE = ((0o100644 << 16) >>> 0) as number;

export interface ZipEntry {
  readonly path: string;
  readonly bytes: number;
  readonly packed_bytes: number;
  readonly crc: number;
  /** Where the entry's header starts in the archive. */
  readonly start: number;
}

type Field = readonly [size: 2 | 4 | 8, value: number];
const u16 = (value: number): Field => [2, value];
const u32 = (value: number): Field => [4, value];
const u64 = (value: number): Field => [8, value];

function pack(fields: readonly Field[], ...texts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const fixed = fields.reduce((sum, [size]) => sum + size, 0);
  const all = new Uint8Array(texts.reduce((sum, text) => sum + text.length, fixed));
  const view = new DataView(all.buffer);
  let offset = 0;
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(offset, value, true);
    else if (size === 4) view.setUint32(offset, value, true);
    else view.setBigUint64(offset, BigInt(value), true);
    offset += size;
  }
  for (const text of texts) {
    all.set(text, offset);
    offset += text.length;
  }
  return all;
}

const encodePath = (path: string) => new TextEncoder().encode(path);

/** MS-DOS date and time in UTC. The format has no time zone. */
function toDosTime(ms: number): readonly Field[] {
  const date = new Date(ms);
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return [u16(time), u16(day)];
}

export function buildEntryHeader(path: string, time: number, isLarge: boolean): Uint8Array<ArrayBuffer> {
  const name = encodePath(path);
  const extra = isLarge ? pack([u16(1), u16(16), u64(0), u64(0)]) : new Uint8Array();
  const size = isLarge ? UINT32_MAX : 0;
  return pack(
    [
      u32(0x04034b50),
      ...[u16(isLarge ? ZIP64_VERSION : VERSION), u16(FLAGS), u16(DEFLATED)],
      ...toDosTime(time),
      ...[u32(0), u32(size), u32(size), u16(name.length), u16(extra.length)],
    ],
    name,
    extra,
  );
}

export function buildEntryEnd(
  { crc, packed_bytes, bytes }: Omit<ZipEntry, 'path' | 'start'>,
  isLarge: boolean,
): Uint8Array<ArrayBuffer> {
  const size = isLarge ? u64 : u32;
  return pack([u32(0x08074b50), u32(crc), size(packed_bytes), size(bytes)]);
}

export function buildDirectoryHeader(entry: ZipEntry, time: number): Uint8Array<ArrayBuffer> {
  const { path, bytes, packed_bytes, crc, start } = entry;
  const name = encodePath(path);
  const isLarge = bytes >= LARGE_ENTRY_BYTES || start >= UINT32_MAX;
  const extra = isLarge
    ? pack([u16(1), u16(24), u64(bytes), u64(packed_bytes), u64(start)])
    : new Uint8Array();
  const limit = (value: number) => u32(isLarge ? UINT32_MAX : value);
  const version = isLarge ? ZIP64_VERSION : VERSION;
  return pack(
    [
      u32(0x02014b50),
      ...[u16(MADE_BY | version), u16(version), u16(FLAGS), u16(DEFLATED)],
      ...toDosTime(time),
      ...[u32(crc), limit(packed_bytes), limit(bytes), u16(name.length), u16(extra.length)],
      ...[u16(0), u16(0), u16(0), u32(REGULAR_FILE), limit(start)],
    ],
    name,
    extra,
  );
}

interface Directory {
  readonly entries: number;
  readonly start: number;
  /** Where the directory ends. */
  readonly end: number;
}

export function buildDirectoryEnd({ entries, start, end }: Directory): Uint8Array<ArrayBuffer> {
  const bytes = end - start;
  const needsZip64 = entries >= UINT16_MAX || end >= UINT32_MAX;
  const zip64 = needsZip64
    ? pack([
        ...[u32(0x06064b50), u64(44), u16(MADE_BY | ZIP64_VERSION), u16(ZIP64_VERSION), u32(0), u32(0)],
        ...[u64(entries), u64(entries), u64(bytes), u64(start)],
        ...[u32(0x07064b50), u32(0), u64(end), u32(1)],
      ])
    : new Uint8Array();
  const [count, size, offset] = needsZip64 ? [UINT16_MAX, UINT32_MAX, UINT32_MAX] : [entries, bytes, start];
  const last = pack([
    ...[u32(0x06054b50), u16(0), u16(0), u16(count), u16(count)],
    ...[u32(size), u32(offset), u16(0)],
  ]);
  return pack([], zip64, last);
}
