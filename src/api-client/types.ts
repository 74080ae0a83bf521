// The types that don't depend on operations. The build copies this file to the start of `/client.d.ts`.

export interface ClientOptions {
  /** The URL of the server, such as `https://edgework.example.com`. */
  readonly baseUrl: string;
  /** An API key, access token or session token, or a function that returns one. It is called once per operation. */
  readonly token?: string | undefined | (() => string | Promise<string>);
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** The maximum number of retries after a network error or a status of 429, 502, 503 or 504. 4 by default. */
  readonly retries?: number | undefined;
  /**
   * The longest pause before a retry, in seconds. 60 by default. If the server asks for a longer pause, the call fails.
   */
  readonly longestPause?: number | undefined;
}

export interface CallOptions {
  /** Cancels the request and its retries. */
  readonly signal?: AbortSignal | undefined;
  /** For writes. By default, each call has a random key, which is also sent with its retries. */
  readonly idempotencyKey?: string | undefined;
  /**
   * An object returned by this client, an ETag, or a version number. The write fails with status 412 if the resource
   * has changed since you read it.
   */
  readonly ifMatch?: object | string | number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * `network` means that no response arrived, and `invalid_signature` means that `verifyWebhook` rejected the message.
 * All other codes come from the server.
 */
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
  /** The HTTP status. 0 for the codes `network` and `invalid_signature`. */
  readonly status: number;
  /** The first parameter or field at fault, such as `tasks[1].deadline`. */
  readonly field: string | null;
  /** Identifies the request in the server's logs. */
  readonly requestId: string | null;
  /** Seconds to wait before trying again. */
  readonly retryAfter: number | null;
}

/** The fields that you asked for. Other fields are set only if `expand` added them. */
export type SelectedFields<T, F> = T extends null ? T : Pick<T, F & keyof T> & Partial<T>;

export type CallArguments<Input> =
  Partial<Input> extends Input
    ? [input?: Input, options?: CallOptions]
    : [input: Input, options?: CallOptions];

export type Operation<Input, Output> = (...call: CallArguments<Input>) => Promise<Output>;

export interface ReadOperation<Input, Output> {
  <F extends keyof NonNullable<Output>>(
    input: Input & { readonly fields: readonly F[] },
    options?: CallOptions,
  ): Promise<SelectedFields<Output, F>>;
  (...call: CallArguments<Input>): Promise<Output>;
}

export interface Page<Item> {
  data: Item[];
  meta: object;
}

export interface ListOperation<Input, Output extends Page<unknown>> {
  <F extends keyof Output['data'][number]>(
    input: Input & { readonly fields: readonly F[] },
    options?: CallOptions,
  ): Promise<Omit<Output, 'data'> & { data: SelectedFields<Output['data'][number], F>[] }>;
  (...call: CallArguments<Input>): Promise<Output>;
}

export interface PagedOperation<Input, Output extends Page<unknown>> extends ListOperation<Input, Output> {
  /** Reads every page, and yields the items one by one. */
  all: {
    <F extends keyof Output['data'][number]>(
      input: Input & { readonly fields: readonly F[] },
      options?: CallOptions,
    ): AsyncGenerator<SelectedFields<Output['data'][number], F>, void, undefined>;
    (...call: CallArguments<Input>): AsyncGenerator<Output['data'][number], void, undefined>;
  };
}

/** The headers of a request to your server: a `Headers` object, or an object with lowercase names as in Node. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
  /** The maximum difference between the message's timestamp and this machine's clock, in seconds. 300 by default. */
  readonly tolerance?: number | undefined;
}
