import * as z from 'zod';
import type { Access, OAuthScope } from './access.ts';
import type { Operation } from './operation.ts';
import { type Page, pageInput } from './pagination.ts';

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
  run<A extends Access, I extends z.ZodObject, O extends z.ZodType>(
    operation: Operation<A, I, O>,
    input: z.input<I>,
  ): Promise<z.output<O>>;
  /** Turns names into ids in at most one trip; throws a message for the model if a name is unknown or ambiguous. */
  resolve(references: References): Promise<{ projectId: number | undefined; userIds: string[] }>;
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
  /** What it calls the fields of its operations, where it calls them otherwise. */
  fields?: Readonly<Record<string, string>>;
  /** Fields of its operations that take several values where it takes one. */
  oneOfMany?: readonly string[];
  /** Operations that messages point to and it is the tool for, each with what to pass; empty where nothing special. */
  standsFor?: Readonly<Record<string, string>>;
  /** The same as text, for clients that show no structured content: one line an item. */
  lines: (output: z.output<O>) => string[];
}

export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject>
  extends ToolSpec<I, O> {
  run: (ctx: ToolContext, input: z.output<I>) => Promise<z.input<O>>;
}

/** The type of a tool in a list. */
export type AnyTool = Omit<Tool, 'run' | 'lines'> & {
  run: (ctx: ToolContext, input: never) => Promise<unknown>;
  lines: (output: never) => string[];
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

/** If an answer had to cut long texts, the next call continues after the part that was shown. */
export const textOffset = z
  .int()
  .min(0)
  .default(0)
  .meta({ description: 'Characters of long texts to skip.' });

export function textFrom(text: string | null, offset: number): string | null {
  return text === null ? null : text.slice(offset).toWellFormed();
}

export const pageOfTool = {
  limit: pageInput.limit.meta({ description: undefined }),
  offset: pageInput.offset.meta({ description: undefined }),
};

/** A trimmed person, project or task: the REST fields without those that the model does not need. */
export const summary = z.looseObject({});

/** Beside the `data` of a page. `nextOffset` is null only where nothing follows. */
export const pageFields = { total: z.int(), nextOffset: z.int().nullable() };

export function toolPage<T extends z.ZodType>(item: T) {
  return z.strictObject({ data: z.array(item), ...pageFields });
}

interface Envelope<T> {
  data: readonly T[];
  meta: { total: number; offset: number; hasMore: boolean };
}

/** The page of an operation with each item trimmed. */
export function trimPage<T, U>({ data, meta }: Envelope<T>, trim: (item: T) => U) {
  const { total, offset, hasMore } = meta;
  return { data: data.map(trim), total, nextOffset: hasMore ? offset + data.length : null };
}

/** A page of a list that its operation answers as a whole. */
export function slicePage<T, U>(all: readonly T[], { limit, offset }: Page, trim: (item: T) => U) {
  const data = all.slice(offset, offset + limit);
  const hasMore = offset + data.length < all.length;
  return trimPage({ data, meta: { total: all.length, offset, hasMore } }, trim);
}

export function pick<T extends object, K extends keyof T>(from: T, ...names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>;
}

const TEXT_SHOWN_MAX = 120;

/** Joins parts to a line without line breaks: names are user content and may contain anything. */
export function line(...parts: readonly (string | number | false | null | undefined)[]): string {
  return parts
    .filter((part) => part !== false && part !== null && part !== undefined && part !== '')
    .map((part) => shorten(String(part).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')))
    .join(' | ');
}

function shorten(text: string): string {
  return text.length > TEXT_SHOWN_MAX ? `${text.slice(0, TEXT_SHOWN_MAX).toWellFormed()}…` : text;
}
