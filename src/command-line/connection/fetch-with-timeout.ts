const RESPONSE_MS_MAX = 60_000;
const UPLOAD_MS_MAX = 10 * 60_000;
/** How many times the client retries a failed request. */
export const RETRIES = 2;

/** The timeouts are longer than the server's long polls. */
export const fetchWithTimeout: typeof fetch = (input, init) => {
  const timeout = AbortSignal.timeout(init?.body instanceof ArrayBuffer ? UPLOAD_MS_MAX : RESPONSE_MS_MAX);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout });
};
