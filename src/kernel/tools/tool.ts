import * as z from 'zod';
import type { Access, Caller, OAuthScope } from '../access/access.ts';
import { AppError } from '../errors/errors.ts';
import type { Operation } from '../operation/operation.ts';

/**
 * Describes a tool's effects to clients, so that they know when to ask for approval. `openWorldHint` is always false.
 */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
}

export const readOnlyHints: ToolHints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
export const additiveHints: ToolHints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
};
export const destructiveHints: ToolHints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
};
export const idempotentHints: ToolHints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
};

/** Tools reach data only through operations, so MCP and REST follow the same rules. */
export interface ToolContext {
  readonly caller: Caller;
  readonly now: number;
  /** `key` is an idempotency key. Calling again with the same key and arguments returns the first response. */
  run<A extends Access, I extends z.ZodObject, O extends z.ZodType>(
    operation: Operation<A, I, O>,
    input: z.input<I>,
    key?: string,
  ): Promise<z.output<O>>;
  list<A extends Access, I extends z.ZodObject, O extends z.ZodType>(
    operation: Operation<A, I, O>,
    input: z.input<I>,
  ): Promise<z.output<O> & { nextCursor: string | null }>;
  /** Runs an operation whose result depends on the role. If the role limits the result, adds a note that says so. */
  runWithRoleNote<A extends Access, I extends z.ZodObject, O extends z.ZodType>(
    operation: Operation<A, I, O>,
    input: z.input<I>,
  ): Promise<z.output<O>>;
  /**
   * Resolves names in up to two database round trips. Returns an error for each item with an unknown or ambiguous name.
   */
  resolve(references: readonly References[]): Promise<(ResolvedReferences | AppError)[]>;
}

export interface ResolvedReferences {
  readonly projectId: number | undefined;
  readonly userIds: string[];
}

export async function resolveCallReferences(
  ctx: ToolContext,
  references: References,
): Promise<ResolvedReferences> {
  const [resolved] = await ctx.resolve([references]);
  if (resolved instanceof AppError) throw resolved;
  return resolved as ResolvedReferences;
}

export interface References {
  readonly project?: string | number | undefined;
  readonly people?: readonly string[] | undefined;
}

export interface ToolSpec<I extends z.ZodObject, O extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  access: OAuthScope;
  hints: ToolHints;
  input: I;
  output: O;
  /** Adds the output schema to `tools/list`, at a cost of about 200 bytes. Useful if programs read the output. */
  publishesOutput?: boolean;
  /** The tool's names for fields that its operations name differently. */
  fields?: Readonly<Record<string, string>>;
  /** Fields for which the tool takes one value and its operations take several. */
  oneOfMany?: readonly string[];
  /**
   * Operations for which error messages suggest this tool instead. Each value contains the arguments to add to the
   * suggestion, such as `isArchived false`, or is empty.
   */
  covers?: Readonly<Record<string, string>>;
  /** The output as lines of text, for clients that don't show structured content. */
  lines: (output: z.output<O>) => string[];
  structured?: (output: z.output<O>) => object;
}

export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject>
  extends ToolSpec<I, O> {
  run: (ctx: ToolContext, input: z.output<I>) => Promise<z.input<O>>;
}

export type AnyTool = Omit<Tool, 'run' | 'lines' | 'structured'> & {
  run: (ctx: ToolContext, input: never) => Promise<unknown>;
  lines: (output: never) => string[];
  structured?: (output: never) => object;
};

export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(
  spec: ToolSpec<I, O>,
  run: Tool<I, O>['run'],
): Tool<I, O> {
  return { ...spec, run };
}

export const personReference = z.string().min(1).max(254).meta({ description: 'Id, email, name, or `me`.' });
export const projectReference = z
  .union([z.int().min(0), z.string().min(1).max(254)])
  .meta({ description: 'Id or name.' });

export const retryKeyInput = {
  idempotencyKey: z.string().min(1).max(200).optional(),
};

export const textOffsetInput = z.int().min(0).optional();

/**
 * Keeps a tool's schema short. `types` omits the descriptions, formats and options of the argument's fields, because
 * another tool has them. `nothing` omits the fields, because another argument of this tool has the same fields.
 */
export function markDescribedElsewhere<T extends z.ZodType>(
  schema: T,
  description: string,
  publishes: 'types' | 'nothing' = 'types',
): T {
  return schema.meta({ description, describedElsewhere: publishes });
}

export const summaryOutput = z.looseObject({});

export function pickFields<T extends object, K extends keyof T>(from: T, ...names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>;
}
