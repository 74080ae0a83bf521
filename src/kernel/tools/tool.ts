import * as z from 'zod';
import type { Access, Caller, OAuthScope } from '../access/access.ts';
import { AppError } from '../errors/errors.ts';
import type { Operation } from '../operation/operation.ts';

/** What a client may assume before it asks the person; `openWorldHint` is false for every tool. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
}

export const reads: ToolHints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
export const adds: ToolHints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
/** Overwrites or removes what was there. */
export const replaces: ToolHints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };
/** Can be undone, and repeating it changes nothing. */
export const switches: ToolHints = { readOnlyHint: false, destructiveHint: false, idempotentHint: true };

/** What a tool works with. It reaches data only through operations, so REST and MCP obey the same rules. */
export interface ToolContext {
  readonly caller: Caller;
  readonly now: number;
  /** @param key repeats the answer of an earlier call with the same key and arguments, instead of doing it again. */
  run<A extends Access, I extends z.ZodObject, O extends z.ZodType>(
    operation: Operation<A, I, O>,
    input: z.input<I>,
    key?: string,
  ): Promise<z.output<O>>;
  /** Runs an operation that answers a page, and tells where the list goes on. */
  list<A extends Access, I extends z.ZodObject, O extends z.ZodType>(
    operation: Operation<A, I, O>,
    input: z.input<I>,
  ): Promise<z.output<O> & { nextCursor: string | null }>;
  /** Runs an operation whose answer depends on how much of the workspace the role sees, which the result then says. */
  survey<A extends Access, I extends z.ZodObject, O extends z.ZodType>(
    operation: Operation<A, I, O>,
    input: z.input<I>,
  ): Promise<z.output<O>>;
  /**
   * Turns the names of several items into ids, in at most two trips. An item that names somebody or something unknown or
   * ambiguous becomes a message for the model.
   */
  resolve(references: readonly References[]): Promise<(Resolved | AppError)[]>;
}

export interface Resolved {
  readonly projectId: number | undefined;
  readonly userIds: string[];
}

/** The names of one call. Throws the message for the model if one of them is unknown or ambiguous. */
export async function resolveOne(ctx: ToolContext, references: References): Promise<Resolved> {
  const [resolved] = await ctx.resolve([references]);
  if (resolved instanceof AppError) throw resolved;
  return resolved as Resolved;
}

export interface References {
  readonly project?: string | number | undefined;
  readonly people?: readonly string[] | undefined;
}

export interface ToolSpec<I extends z.ZodObject, O extends z.ZodObject> {
  /** snake_case, unique. */
  name: string;
  title: string;
  description: string;
  /** The scope of every operation that it runs. */
  access: OAuthScope;
  hints: ToolHints;
  input: I;
  output: O;
  /** Whether `tools/list` tells the shape of its answers, which costs 200 bytes: only where programs go on with them. */
  publishesOutput?: boolean;
  /** What it calls the fields of its operations, where it calls them otherwise. */
  fields?: Readonly<Record<string, string>>;
  /** Fields of its operations that take several values where it takes one. */
  oneOfMany?: readonly string[];
  /** Operations that messages point to and it is the tool for, each with what to pass; empty where nothing special. */
  standsFor?: Readonly<Record<string, string>>;
  /** The output as text, for clients that show no structured content: one line an item. */
  lines: (output: z.output<O>) => string[];
  /** The part of the output that is sent as structured content; by default all of it. */
  structured?: (output: z.output<O>) => object;
}

export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject>
  extends ToolSpec<I, O> {
  run: (ctx: ToolContext, input: z.output<I>) => Promise<z.input<O>>;
}

/** The type of a tool in a list. */
export type AnyTool = Omit<Tool, 'run' | 'lines' | 'structured'> & {
  run: (ctx: ToolContext, input: never) => Promise<unknown>;
  lines: (output: never) => string[];
  structured?: (output: never) => object;
};

export function tool<I extends z.ZodObject, O extends z.ZodObject>(
  spec: ToolSpec<I, O>,
  run: Tool<I, O>['run'],
): Tool<I, O> {
  return { ...spec, run };
}

export const personReference = z
  .string()
  .min(1)
  .max(254)
  .meta({ description: 'Id, email, exact name, or me.' });
export const projectReference = z
  .union([z.int().min(0), z.string().min(1).max(254)])
  .meta({ description: 'Id or exact name.' });

/** Input of every tool that writes. */
export const retryKey = {
  idempotencyKey: z.string().min(1).max(200).optional().meta({
    description: 'Any unique text. The same call with the same key takes effect once.',
  }),
};

/** If an answer had to cut long texts, the next call continues after the part that was shown. */
export const textOffset = z
  .int()
  .min(0)
  .optional()
  .meta({ description: 'Characters of long texts to skip.' });

/** A trimmed person, project or task: the REST fields without those that the model does not need. */
export const summary = z.looseObject({});

export function pick<T extends object, K extends keyof T>(from: T, ...names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>;
}
