import type * as z from 'zod';
import type { Access, Account, Actor, Caller, Via } from '../access/access.ts';
import type { Capability, Reach } from '../access/capabilities.ts';
import type { SQL, Statement } from '../sql/database.ts';
import type { GuardedDatabase } from '../sql/guarded-database.ts';
import type { Words } from '../text/wording.ts';
import type { Answer } from './answer.ts';
import type { Shown } from './as-shown.ts';
import type { RequestScope } from './request-scope.ts';

/** What every handler works with. */
export interface BaseContext {
  readonly request: RequestScope;
  readonly now: number;
}

/** What an operation works with that needs nobody to be signed in. */
export interface PublicContext extends BaseContext {
  /** The batch that writes claims the form that was sent, so that it counts once. */
  readonly directory: GuardedDatabase;
}

export interface Context extends BaseContext {
  readonly caller: Caller;
  /** How far the role of the caller reaches with the capability that the operation names. */
  readonly reach: Reach;
  readonly via: Via;
  /** How the face that asked calls things, for messages that stand inside of an answer. */
  readonly words: Words;
  /** What the sender saw of the fields that they change; empty unless a page sent it. */
  readonly shown: Shown;
  /** The request as it came, where the route takes bytes: its body has not been read. */
  readonly incoming: Request | null;
  /** The caller's cell; every batch re-checks the caller in its transaction. */
  readonly db: GuardedDatabase;
  /** Throws if the caller lost the right to do this, whatever is cached. Call it after a wait, before a lasting effect. */
  readonly recheck: () => Promise<void>;
}

/** What an operation on one's own account works with. */
export interface AccountContext extends PublicContext {
  readonly account: Account;
  /** Names the browser session, without being its secret. */
  readonly sessionHash: string;
  /** What the sender saw of the fields that they change. */
  readonly shown: Shown;
  /** Every batch re-checks in its transaction that the browser is still signed in, too. */
  readonly directory: GuardedDatabase;
}

/** Who writes, when, and through what; operations pass their context, a cron job makes one. */
export interface WriteContext {
  readonly caller: Actor;
  readonly via: Via;
  readonly now: number;
}

type ContextOf<A extends Access> = A extends 'public'
  ? PublicContext
  : A extends 'account'
    ? AccountContext
    : Context;

export interface OperationSpec<A extends Access, I extends z.ZodObject, O extends z.ZodType> {
  /** camelCase, unique; the OpenAPI operationId. */
  name: string;
  summary: string;
  description?: string;
  access: A;
  /** What the role of the caller decides here; a public operation has no caller, and an account no role. */
  capability: A extends 'public' | 'account' ? null : Capability;
  effect: 'read' | 'write';
  /** Path, query and body fields together, for REST and for tools. */
  input: I;
  output: O;
  /** How a repeated request finds what the first one created, for `Idempotency-Key`. */
  repeat?: Repeat<A, I, O>;
  /** A body for the reference, without what the path says, where the examples of its fields do not go together. */
  example?: Partial<z.input<I>>;
  /** The resource whose version `If-Match` names. */
  precondition?: Precondition;
  /** The answer is a resource with versions: its ETag names the version, whatever the method. */
  answersVersion?: boolean;
  /** The answer holds a secret and is never stored. */
  answersSecret?: boolean;
  /** Messages that the service then sends to an address of the caller, by name; OpenAPI lists them as webhooks. */
  sends?: Readonly<Record<string, { summary: string; body: z.ZodType }>>;
}

/** Reads the version of a resource, and makes the statement that undoes a batch unless it is still that one. */
type Precondition = (ctx: Context, id: number) => Promise<{ version: number; unchanged: Statement<void> }>;

interface Repeat<A extends Access, I extends z.ZodObject, O extends z.ZodType> {
  /** Id of the row that the batch has just inserted, as SQL. */
  entity?: SQL;
  /** Builds the answer again if the first one was lost between commit and delivery. */
  answer: (
    ctx: ContextOf<A>,
    input: z.output<I>,
    entity: A extends 'public' | 'account' ? string : number,
  ) => Promise<z.input<O> | Answer<z.input<O>>>;
}

export interface Operation<
  A extends Access = Access,
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
> extends OperationSpec<A, I, O> {
  /** Only `execute` calls it. It returns the body, or an `Answer` where there is more to say. */
  handler: (ctx: ContextOf<A>, input: z.output<I>) => Promise<z.input<O> | Answer<z.input<O>>>;
}

/** The type of an operation in a list; only `execute` knows how to run it. */
// The handler's parameters are contravariant, so only `never` fits every operation.
export type AnyOperation = Omit<Operation, 'handler' | 'repeat'> & {
  handler: (ctx: never, input: never) => Promise<unknown>;
  repeat?: { entity?: SQL; answer: (ctx: never, input: never, entity: never) => Promise<unknown> };
};

export function operation<A extends Access, I extends z.ZodObject, O extends z.ZodType>(
  spec: OperationSpec<A, I, O>,
  handler: Operation<A, I, O>['handler'],
): Operation<A, I, O> {
  return { ...spec, handler };
}
