/** A statement that the service sent, recorded once per owner. */
export interface SentStatement {
  /** A route, page, tool, job or object. */
  readonly owner: string;
  readonly sql: string;
  /** The query plan, a step per line. */
  readonly plan: string;
  /** Rows of the first batch that was committed. Null if all batches were rolled back. */
  readonly rows: { readonly read: number; readonly written: number } | null;
}

/** Sets the owner of a request's statements, if the route isn't specific enough. */
export const OWNER_HEADER = 'X-Statement-Owner';
