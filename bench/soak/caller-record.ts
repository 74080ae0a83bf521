export interface KnownTask {
  readonly id: number;
  name: string;
  status: string;
  archived: boolean;
  comments: number;
  activities: number;
}

/** MCP calls without a response. The server may or may not have executed them. */
type UncertainCall =
  | { readonly kind: 'task'; readonly text: string }
  | { readonly kind: 'comment'; readonly text: string; readonly task: KnownTask };

export interface SentFile {
  readonly id: number;
  readonly fileName: string;
  readonly size: number;
  readonly sha256: string;
}

export interface CallerRecord {
  readonly tasks: Map<number, KnownTask>;
  readonly uncertain: UncertainCall[];
  readonly comments: { task: number; content: string }[];
  readonly meetings: { id: number; name: string }[];
  readonly files: (SentFile & { task: number })[];
  timers: number;
  readonly keys: string[];
}

export function createCallerRecord(): CallerRecord {
  return {
    tasks: new Map(),
    uncertain: [],
    comments: [],
    meetings: [],
    files: [],
    timers: 0,
    keys: [],
  };
}
