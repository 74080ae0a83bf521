/** Error codes from RFC 6749 §4.1.2.1 and §5.2, RFC 7591 §3.2.2 and RFC 8707 §2. */
const errorStatus = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  access_denied: 403,
  server_error: 500,
  temporarily_unavailable: 429,
} as const;

export type OAuthErrorCode = keyof typeof errorStatus;

interface ErrorOptions {
  status?: number;
  headers?: Record<string, string>;
}

/** Every error is sent to OAuth clients in this form. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(code: OAuthErrorCode, description: string, options: ErrorOptions = {}) {
    super(toAsciiDescription(description));
    this.name = 'OAuthError';
    this.code = code;
    this.status = options.status ?? errorStatus[code];
    this.headers = options.headers ?? {};
  }

  toBody() {
    return { error: this.code, error_description: this.message };
  }
}

/** RFC 6749 §5.2 allows only printable ASCII without `"` and `\` in a description. */
function toAsciiDescription(text: string): string {
  return text
    .replaceAll('…', '...')
    .replaceAll('"', "'")
    .replace(/[^\x20-\x7e]|\\/g, '?');
}
