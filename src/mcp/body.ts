import { decodeUtf8, describeTooLarge, readBytes } from '../kernel/http/bounded-body.ts';
import { BODY_BYTES_MAX } from '../kernel/http/decode.ts';
import { PARSE_ERROR, REFUSED, rpcError } from './answers.ts';

/** The JSON of a body of at most `BODY_BYTES_MAX` bytes, or the answer that refuses it. */
export async function readJson({ body }: Request): Promise<{ json: unknown } | { refused: Response }> {
  const bytes = await readBytes(body, BODY_BYTES_MAX);
  if (bytes === null) {
    return { refused: rpcError(413, { code: REFUSED, message: describeTooLarge(BODY_BYTES_MAX) }) };
  }
  try {
    return { json: JSON.parse(decodeUtf8(bytes)) as unknown };
  } catch {
    const message = 'The body is not valid JSON in UTF-8. Send one JSON-RPC message.';
    return { refused: rpcError(400, { code: PARSE_ERROR, message }) };
  }
}
