interface OperationResponseOptions {
  nextCursor?: string | undefined;
  /** Returns 200 instead of 201 if a create found that its work was already done. */
  status?: 200;
  version?: number;
  /** Streams a body whose texts don't fit into the memory of an isolate. MCP returns the body without the texts. */
  inParts?: JsonStreamer | undefined;
}

/** `convert` is applied to the texts that `output` doesn't contain. */
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
