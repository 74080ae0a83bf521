interface BesideTheBody {
  /** The cursor of the next page; omitted on the last page. */
  nextCursor?: string | undefined;
  /** Set when a create found its work already done, instead of 201. */
  status?: 200;
  /** The version of the returned resource, for its ETag. */
  version?: number;
  /** Streams the JSON of a body whose texts are too long for one isolate. MCP returns the body without them. */
  inParts?: InParts | undefined;
}

/** Yields the JSON of an output in pieces. */
export type InParts = (output: unknown) => AsyncGenerator<string>;

/** Returned by handlers that set more than the body. */
export class Answer<Body> {
  readonly body: Body;
  readonly nextCursor: string | null;
  /** Null: the interface's default. */
  readonly status: 200 | null;
  /** Null if the body isn't a resource with versions. */
  readonly version: number | null;
  readonly inParts: InParts | undefined;

  constructor(body: Body, { nextCursor, status, version, inParts }: BesideTheBody = {}) {
    this.body = body;
    this.nextCursor = nextCursor ?? null;
    this.status = status ?? null;
    this.version = version ?? null;
    this.inParts = inParts;
  }
}
