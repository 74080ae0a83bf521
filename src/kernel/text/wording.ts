/** The names that messages use for operations and fields in an interface (REST or MCP). */
export interface Words {
  /** `input` contains values to show with the call, by the operation's field names. */
  call(operation: string, input?: Readonly<Record<string, string | number>>): string;
  field(name: string): string;
  /** The interface's name for the whole input. Defaults to the body. */
  readonly whole?: string;
  /** Whether clients can send this field. */
  takes(name: string): boolean;
  /** Whether clients send a single value where the operation takes several. */
  takesOne(name: string): boolean;
  /** Names one of several items that were sent together, if its index wouldn't help. */
  item?(index: number): string;
}

/** A message, or a function that writes it with an interface's names. */
export type Wording = string | ((words: Words) => string);

export function formatWording(wording: Wording, words: Words): string {
  return typeof wording === 'string' ? wording : wording(words);
}

/** The operations' own names, for logs and for interfaces that use them. */
export const ownWords: Words = {
  call: (operation) => operation,
  field: (name) => name,
  takes: () => true,
  takesOne: () => false,
};
