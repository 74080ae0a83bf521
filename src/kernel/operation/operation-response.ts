interface OperationResponseOptions {
  nextCursor?: string | undefined;
  /** Set if the item had already been created. The status is then 200 instead of 201. */
  status?: 200;
  version?: number;
  /**
   * Streams the body together with long texts, which may not fit in an isolate's memory all at once. MCP returns the
   * body without them.
   */
  inParts?: JsonStreamer | undefined;
}

/** Streams `output` as JSON, including the long strings that `output` lacks. Applies `convert` to these strings. */
export type JsonStreamer = (output: unknown, convert?: (text: string) => string) => AsyncGenerator<string>;

export class OperationResponse<Body> {
  readonly body: Body;
  readonly nextCursor: string | null;
  readonly status: 200 | null;
  readonly version: number | null;
  readonly inParts: JsonStreamer | undefined;

  constructor(body: Body, { nextCursor, status, version, inParts }: OperationResponseOptions = {}) {
    this.body = body;
    this.nextCursor = nextCursor ?? null;
    this.status = status ?? null;
    this.version = version ?? null;
    this.inParts = inParts;
  }
}
