/** How an interface (REST or MCP) names operations and fields in messages. */
export interface Words {
  /** `input` contains values to show with the call, by the operation's field names. */
  call(operation: string, input?: Readonly<Record<string, string | number>>): string;
  field(name: string): string;
  /** The interface's name for the whole input. Defaults to the body. */
  readonly whole?: string;
  takes(name: string): boolean;
  /** Returns whether clients send a single value where the operation takes several. */
  takesOne(name: string): boolean;
  /** Names one of several items that were sent together. Set if an index wouldn't help. */
  item?(index: number): string;
}

export type Wording = string | ((words: Words) => string);

export function formatWording(wording: Wording, words: Words): string {
  return typeof wording === 'string' ? wording : wording(words);
}

export const ownWords: Words = {
  call: (operation) => operation,
  field: (name) => name,
  takes: () => true,
  takesOne: () => false,
};
