import { type ApiResponse, api, ORIGIN, send } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import type { Person, Workspace } from '../../support/world.ts';

export const CHUNK_BYTES = 8 * 1024 * 1024;

/** Returns the same bytes for the same seed. They are never all zero. */
export function createBytes(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index += 1)
    bytes[index] = (index * 31 + seed * 17 + (index >> 8)) & 255;
  return bytes;
}

export async function sha256(bytes: Uint8Array<ArrayBuffer> | ArrayBuffer): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function initUpload(person: Person, body: Record<string, unknown>): Promise<ApiResponse> {
  return api(person.token).post('/chunked-upload/init', {
    fileName: 'film.bin',
    fileType: 'application/octet-stream',
    ...body,
  });
}

interface ChunkResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a JSON response
  body: any;
  text: string;
}

/** Sends a chunk. If it is a byte array, adds the `Content-Length` that a network client would add. */
export async function putChunk(
  person: Pick<Person, 'token'>,
  session: string,
  part: number | string,
  bytes: BodyInit | null,
  headers: Record<string, string | null> = {},
): Promise<ChunkResponse> {
  const length = bytes instanceof Uint8Array ? String(bytes.byteLength) : null;
  const all = {
    Authorization: `Bearer ${person.token}`,
    'Content-Type': 'application/octet-stream',
    'Content-Length': length,
    ...headers,
  };
  const given = Object.entries(all).filter((each): each is [string, string] => each[1] !== null);
  const response = await send(
    new Request(`${ORIGIN}/v1/chunked-upload/chunk/${session}/${part}`, {
      method: 'POST',
      headers: Object.fromEntries(given),
      body: bytes,
    }),
  );
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text), text };
}

export async function openFilledSession(
  person: Person,
  body: Record<string, unknown>,
  bytes = createBytes(100),
): Promise<string> {
  const { status, body: session, text } = await initUpload(person, { fileSize: bytes.byteLength, ...body });
  if (status !== 201) throw new Error(`init returned ${status}: ${text}`);
  for (let part = 1; part <= session.totalChunks; part += 1) {
    const chunk = bytes.subarray((part - 1) * session.chunkSize, part * session.chunkSize);
    const answer = await putChunk(person, session.sessionId, part, chunk);
    if (answer.status !== 200) throw new Error(`chunk ${part} returned ${answer.status}: ${answer.text}`);
  }
  return session.sessionId;
}

type WorkspaceLocation = Pick<Workspace, 'no' | 'cell'>;

export async function readStorage({ no, cell }: WorkspaceLocation) {
  const db = getCell(cell);
  const sumBytes = async (query: string) => (await db.prepare(query).bind(no).first<{ n: number }>())?.n ?? 0;
  return {
    used: await sumBytes('SELECT used AS n FROM storage WHERE ws = ?'),
    reserved: await sumBytes('SELECT reserved AS n FROM storage WHERE ws = ?'),
    trulyUsed: await sumBytes('SELECT coalesce(sum(file_size), 0) AS n FROM attachments WHERE ws = ?'),
    trulyReserved: await sumBytes('SELECT coalesce(sum(reserved), 0) AS n FROM uploads WHERE ws = ?'),
  };
}

export async function readObject(s3Key: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const object = await env.FILES.get(s3Key);
  return object ? new Uint8Array(await object.arrayBuffer()) : null;
}

export function fetchUrl(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return send(new Request(url, { headers }));
}

/** Encodes a form that contains the chunk and, if given, an extra part. */
export async function buildForm(bytes: Uint8Array<ArrayBuffer>, extra?: [string, string]) {
  const data = new FormData();
  data.append('chunk', new Blob([bytes], { type: 'application/octet-stream' }), 'blob');
  if (extra) data.append(...extra);
  const encoded = new Response(data);
  const form = new Uint8Array(await encoded.arrayBuffer());
  return { form, headers: { 'Content-Type': encoded.headers.get('Content-Type') as string } };
}
