/** A statement that the service sent, at its first time for an owner. */
export interface Sent {
  /** A route, page, tool, job or object. */
  readonly owner: string;
  readonly sql: string;
  /** The query plan, a step per line. */
  readonly plan: string;
  /** Of the first batch that was not undone; null if all were. */
  readonly rows: { readonly read: number; readonly written: number } | null;
}

/** Names the owner of what a request sends, where its route does not. */
export const OWNER_HEADER = 'X-Statement-Owner';
