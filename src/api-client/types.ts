// The types that don't depend on operations. The build copies this file to the start of `/client.d.ts`.

export interface ClientOptions {
  /** The URL of the server, such as `https://edgework.example.com`. */
  readonly baseUrl: string;
  /** An API key, access token or session token. A function is called before each request. */
  readonly token?: string | undefined | (() => string | Promise<string>);
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** How often a request is repeated after a 429, a 5xx from an overloaded server or a network error. 4 by default. */
  readonly retries?: number | undefined;
  /** The longest pause before a retry, in seconds. 60 by default. If the server asks for more, the error is thrown. */
  readonly longestPause?: number | undefined;
}

export interface CallOptions {
  /** Cancels the request and its retries. */
  readonly signal?: AbortSignal | undefined;
  /** For writes. By default, each call has a random key, which its retries repeat. */
  readonly idempotencyKey?: string | undefined;
  /**
   * A result of this client, an ETag or a version. The write fails with status 412 if someone has changed the resource
   * since.
   */
  readonly ifMatch?: object | string | number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** `network`: no response. `invalid_signature`: `verifyWebhook` rejected the message. All others come from the server. */
export type EdgeworkErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'forbidden_plan'
  | 'not_found'
  | 'rate_limited'
  | 'internal'
  | 'network'
  | 'invalid_signature';

export interface EdgeworkErrorDetails {
  readonly code: EdgeworkErrorCode;
  /** The HTTP status, or 0 without a response. */
  readonly status: number;
  /** The first parameter or field at fault, such as `tasks[1].deadline`. */
  readonly field: string | null;
  /** Identifies the request in the server's logs. */
  readonly requestId: string | null;
  /** Seconds to wait before trying again. */
  readonly retryAfter: number | null;
}

/** The fields that you asked for. The others are set only if `expand` added them. */
export type Trimmed<T, F> = T extends null ? T : Pick<T, F & keyof T> & Partial<T>;

export type Call<Input> =
  Partial<Input> extends Input
    ? [input?: Input, options?: CallOptions]
    : [input: Input, options?: CallOptions];

export type Operation<Input, Output> = (...call: Call<Input>) => Promise<Output>;

export interface ReadOperation<Input, Output> {
  <F extends keyof NonNullable<Output>>(
    input: Input & { readonly fields: readonly F[] },
    options?: CallOptions,
  ): Promise<Trimmed<Output, F>>;
  (...call: Call<Input>): Promise<Output>;
}

export interface Page<Item> {
  data: Item[];
  meta: object;
}

export interface ListOperation<Input, Output extends Page<unknown>> {
  <F extends keyof Output['data'][number]>(
    input: Input & { readonly fields: readonly F[] },
    options?: CallOptions,
  ): Promise<Omit<Output, 'data'> & { data: Trimmed<Output['data'][number], F>[] }>;
  (...call: Call<Input>): Promise<Output>;
}

export interface PagedOperation<Input, Output extends Page<unknown>> extends ListOperation<Input, Output> {
  /** Reads every page, and yields the items one by one. */
  all: {
    <F extends keyof Output['data'][number]>(
      input: Input & { readonly fields: readonly F[] },
      options?: CallOptions,
    ): AsyncGenerator<Trimmed<Output['data'][number], F>, void, undefined>;
    (...call: Call<Input>): AsyncGenerator<Output['data'][number], void, undefined>;
  };
}

/** The headers of a request to your server: a `Headers` object, or an object with lowercase names as in Node. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
  /** How many seconds the timestamp can be off. 300 by default. */
  readonly tolerance?: number | undefined;
}
