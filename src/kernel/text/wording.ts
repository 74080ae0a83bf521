/** How messages name operations and fields in an interface (REST or MCP). */
export interface Words {
  /** `input` contains values to show with the call, by the operation's field names. */
  call(operation: string, input?: Readonly<Record<string, string | number>>): string;
  field(name: string): string;
  /** How the interface names the whole input. The default is the body. */
  readonly whole?: string;
  takes(name: string): boolean;
  /** Whether clients send a single value where the operation takes several. */
  takesOne(name: string): boolean;
  /** Names one of several items that were sent together, if an index wouldn't help. */
  item?(index: number): string;
}

/** A message, or a function that builds one from the names of an interface. */
export type Wording = string | ((words: Words) => string);

export function formatWording(wording: Wording, words: Words): string {
  return typeof wording === 'string' ? wording : wording(words);
}

/** The names that operations and fields have in the code, for logs and for interfaces that use them. */
export const ownWords: Words = {
  call: (operation) => operation,
  field: (name) => name,
  takes: () => true,
  takesOne: () => false,
};
