/** A statement that the service sent. Each statement is recorded once per source. */
export interface SentStatement {
  /** A route, page, tool, job or Durable Object. */
  readonly source: string;
  readonly sql: string;
  readonly plan: string;
  /** The rows read and written by the first committed batch. Null if all batches were rolled back. */
  readonly rows: { readonly read: number; readonly written: number } | null;
}

/** Names the source of a request's statements if the route isn't specific enough. */
export const SOURCE_HEADER = 'X-Statement-Source';
