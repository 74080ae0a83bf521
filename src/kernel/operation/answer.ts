interface AnswerOptions {
  nextCursor?: string | undefined;
  /** Set when a create found its work already done, instead of 201. */
  status?: 200;
  version?: number;
  /** Streams the JSON of a body whose texts are too long for one isolate. MCP returns the body without them. */
  inParts?: JsonStreamer | undefined;
}

export type JsonStreamer = (output: unknown) => AsyncGenerator<string>;

/** Returned by handlers that set more than the body. */
export class Answer<Body> {
  readonly body: Body;
  readonly nextCursor: string | null;
  readonly status: 200 | null;
  readonly version: number | null;
  readonly inParts: JsonStreamer | undefined;

  constructor(body: Body, { nextCursor, status, version, inParts }: AnswerOptions = {}) {
    this.body = body;
    this.nextCursor = nextCursor ?? null;
    this.status = status ?? null;
    this.version = version ?? null;
    this.inParts = inParts;
  }
}
