interface BesideTheBody {
  /** Where the list goes on, as its next request has to say it; absent on the last page. */
  nextCursor?: string | undefined;
  /** A create that found its work done already answers 200 instead of its usual 201. */
  status?: 200;
  /** The version of the resource in the body, which its ETag names. */
  version?: number;
  /** Makes the JSON of a body whose texts are too long for one isolate at once. Other faces show the body without them. */
  inParts?: InParts | undefined;
}

/** The JSON of an output, a piece at a time. */
export type InParts = (output: unknown) => AsyncGenerator<string>;

/** What a handler returns where there is more to say than the body. */
export class Answer<Body> {
  readonly body: Body;
  readonly nextCursor: string | null;
  /** Null: what the face usually answers. */
  readonly status: 200 | null;
  /** Null where the body is no resource with versions. */
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
