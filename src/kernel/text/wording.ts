/** How a face (REST, MCP) calls things, for messages that name them. */
export interface Words {
  /**
   * The call that runs the operation.
   * @param input what of its input helps, by the operation's own field names.
   */
  call(operation: string, input?: Readonly<Record<string, string | number>>): string;
  /** What the clients of this face call a field of an operation's input. */
  field(name: string): string;
  /** What they call the input as a whole; by default the body. */
  readonly whole?: string;
  /** Whether they can send it. */
  takes(name: string): boolean;
  /** Whether they send one value where the operation takes several. */
  takesOne(name: string): boolean;
  /** Which of several things that were sent together, where an index into a list would say nothing. */
  item?(index: number): string;
}

/** A message, or how to say it in the words of a face. */
export type Wording = string | ((words: Words) => string);

/** A message in the words of a face. */
export function say(wording: Wording, words: Words): string {
  return typeof wording === 'string' ? wording : wording(words);
}

/** The operations' own names: for logs, and wherever a face calls its fields as the operation does. */
export const ownWords: Words = {
  call: (operation) => operation,
  field: (name) => name,
  takes: () => true,
  takesOne: () => false,
};
