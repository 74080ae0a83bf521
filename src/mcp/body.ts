import { BODY_BYTES_MAX } from '../kernel/decode.ts';
import { PARSE_ERROR, REFUSED, rpcError } from './answers.ts';

/** The JSON of a body, at most `BODY_BYTES_MAX` of it, or the answer that refuses it. */
export async function readJson(request: Request): Promise<{ json: unknown } | { refused: Response }> {
  const bytes = await readBytes(request);
  if (bytes === null) {
    const message = `The body is larger than ${BODY_BYTES_MAX} bytes; send less.`;
    return { refused: rpcError(413, { code: REFUSED, message }) };
  }
  try {
    return {
      json: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)) as unknown,
    };
  } catch {
    const message = 'The body is not valid JSON in UTF-8. Send one JSON-RPC message.';
    return { refused: rpcError(400, { code: PARSE_ERROR, message }) };
  }
}

/** Null where there are more than may be. */
async function readBytes(request: Request): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request.body ?? []) {
    length += part.byteLength;
    if (length > BODY_BYTES_MAX) return null;
    parts.push(part);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
