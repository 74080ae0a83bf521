/** How an interface (REST or MCP) names operations and fields in messages. */
export interface Vocabulary {
  /** `input` contains the values to show with the call, keyed by the operation's field names. */
  call(operation: string, input?: Readonly<Record<string, string | number>>): string;
  field(name: string): string;
  /** What error messages call the whole input. Defaults to `the body`. */
  readonly whole?: string;
  takes(name: string): boolean;
  /** Returns whether the client sends this field as a single value, although the operation takes a list. */
  takesOne(name: string): boolean;
  /** Names an item in a list of items. Set if an index would mean nothing to the client. */
  item?(index: number, id?: number): string;
}

export type Wording = string | ((words: Vocabulary) => string);

export function formatWording(wording: Wording, words: Vocabulary): string {
  return typeof wording === 'string' ? wording : wording(words);
}

export const defaultWords: Vocabulary = {
  call: (operation) => operation,
  field: (name) => name,
  takes: () => true,
  takesOne: () => false,
};
