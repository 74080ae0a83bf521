import { decodeUtf8, describeTooLargeBody, readBytes } from '../kernel/http/bounded-body.ts';
import { BODY_BYTES_MAX } from '../kernel/http/rest-input.ts';
import { buildRpcErrorResponse, PARSE_ERROR, SERVER_ERROR } from './rpc-error.ts';

export async function readJson({ body }: Request): Promise<{ json: unknown } | { rejected: Response }> {
  const bytes = await readBytes(body, BODY_BYTES_MAX);
  if (bytes === null) {
    return {
      rejected: buildRpcErrorResponse(413, {
        code: SERVER_ERROR,
        message: describeTooLargeBody(BODY_BYTES_MAX),
      }),
    };
  }
  try {
    return { json: JSON.parse(decodeUtf8(bytes)) as unknown };
  } catch {
    const message = 'The body must be valid JSON in UTF-8. Send one JSON-RPC message.';
    return { rejected: buildRpcErrorResponse(400, { code: PARSE_ERROR, message }) };
  }
}
