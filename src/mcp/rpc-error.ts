export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const UNSUPPORTED_VERSION = -32_022;
export const SERVER_ERROR = -32_000;

interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

export function buildRpcErrorResponse(
  status: number,
  error: RpcError,
  id: unknown = null,
  headers: HeadersInit = {},
): Response {
  const echoed = typeof id === 'string' || typeof id === 'number' ? id : null;
  return Response.json({ jsonrpc: '2.0', id: echoed, error }, { status, headers });
}
