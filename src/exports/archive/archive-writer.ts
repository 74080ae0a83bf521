import { constants, crc32, deflateRawSync } from 'node:zlib';
import { emptySha256, finishSha256, type Sha256State, updateSha256 } from './sha256.ts';
import { buildEntryEnd, buildEntryHeader, LARGE_ENTRY_BYTES, type ZipEntry } from './zip.ts';

interface OpenEntry {
  readonly path: string;
  readonly isLarge: boolean;
  readonly start: number;
  readonly bytes: number;
  readonly packed: number;
  readonly crc: number;
  readonly sha256: Sha256State;
  readonly records: number;
}

/** What a later run needs to continue the archive. */
export interface ArchiveState {
  readonly bytes: number;
  readonly entries: number;
  readonly open: OpenEntry | null;
}

export const emptyArchive: ArchiveState = { bytes: 0, entries: 0, open: null };

export interface WrittenEntry extends ZipEntry {
  readonly no: number;
  readonly state: 'complete' | 'partial' | 'missing';
  readonly sha256: string;
  readonly records: number | null;
}

/** `text` compresses well. Most attachments, such as pictures, are already compressed. */
const levels = { text: 6, file: 0 } as const;
export type Content = keyof typeof levels;

/** An empty final block of deflated data. */
const LAST_BLOCK = new Uint8Array([3, 0]);

/** Builds the archive in memory, up to the next `take`. */
export class ArchiveWriter {
  readonly #time: number;
  #state: ArchiveState;
  #pieces: Uint8Array[] = [];
  #pendingBytes = 0;
  #written: WrittenEntry[] = [];

  constructor(state: ArchiveState, { time, pending }: { time: number; pending: Uint8Array | null }) {
    this.#state = state;
    this.#time = time;
    if (pending) this.#keep(pending);
  }

  get state(): ArchiveState {
    return this.#state;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  get time(): number {
    return this.#time;
  }

  openEntry(path: string, bytesExpected = 0): void {
    const isLarge = bytesExpected >= LARGE_ENTRY_BYTES;
    const start = this.#state.bytes;
    this.append(buildEntryHeader(path, this.#time, isLarge));
    const empty = { bytes: 0, packed: 0, crc: 0, sha256: emptySha256, records: 0 };
    this.#state = { ...this.#state, open: { path, isLarge, start, ...empty } };
  }

  write(data: Uint8Array, content: Content, records = 0): void {
    const open = this.#requireOpen();
    // Ends at a byte boundary, but without a final block, so that the next piece can follow.
    const packed = deflateRawSync(data, { level: levels[content], finishFlush: constants.Z_FULL_FLUSH });
    this.append(packed);
    this.#state = {
      ...this.#state,
      open: {
        ...open,
        bytes: open.bytes + data.length,
        packed: open.packed + packed.length,
        crc: crc32(data, open.crc),
        sha256: updateSha256(open.sha256, data),
        records: open.records + records,
      },
    };
  }

  closeEntry(kind: 'table' | 'file', state: 'complete' | 'partial' = 'complete'): void {
    const { path, isLarge, start, bytes, packed, crc, sha256, records } = this.#requireOpen();
    this.append(LAST_BLOCK);
    const entry = { path, bytes, packed_bytes: packed + LAST_BLOCK.length, crc, start };
    this.append(buildEntryEnd(entry, isLarge));
    this.#add({ ...entry, state, sha256: finishSha256(sha256), records: kind === 'table' ? records : null });
    this.#state = { ...this.#state, open: null };
  }

  /** Records a file that should be in the archive, but no longer exists. */
  addMissing(path: string): void {
    const start = this.#state.bytes;
    this.#add({
      path,
      start,
      ...{ bytes: 0, packed_bytes: 0, crc: 0, state: 'missing', sha256: '', records: null },
    });
  }

  append(bytes: Uint8Array): void {
    this.#keep(bytes);
    this.#state = { ...this.#state, bytes: this.#state.bytes + bytes.length };
  }

  /** Returns the entries that were finished since the last call. */
  takeWritten(): WrittenEntry[] {
    const written = this.#written;
    this.#written = [];
    return written;
  }

  /** Removes up to `bytes` from the start of the pending data. */
  take(bytes: number): Uint8Array {
    const taken = new Uint8Array(Math.min(bytes, this.#pendingBytes));
    let length = 0;
    while (length < taken.length) {
      const piece = this.#pieces.shift() ?? taken;
      const part = piece.subarray(0, taken.length - length);
      taken.set(part, length);
      length += part.length;
      if (part.length < piece.length) this.#pieces.unshift(piece.subarray(part.length));
    }
    this.#pendingBytes -= length;
    return taken;
  }

  #keep(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#pendingBytes += bytes.length;
  }

  #add(entry: Omit<WrittenEntry, 'no'>): void {
    this.#written.push({ no: this.#state.entries, ...entry });
    this.#state = { ...this.#state, entries: this.#state.entries + 1 };
  }

  #requireOpen(): OpenEntry {
    const { open } = this.#state;
    if (!open) throw new Error('no file of the archive is open');
    return open;
  }
}
