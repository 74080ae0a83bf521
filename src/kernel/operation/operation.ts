import type * as z from 'zod';
import type { Access, Account, Actor, Caller, ChangeOrigin } from '../access/access.ts';
import type { Capability, Reach } from '../access/capabilities.ts';
import type { AuditType } from '../audit/audit-types.ts';
import type { SQL, Statement } from '../sql/database.ts';
import type { GuardedDatabase } from '../sql/guarded-database.ts';
import type { Vocabulary } from '../text/wording.ts';
import type { Deprecation } from './deprecation.ts';
import type { OperationResponse } from './operation-response.ts';
import type { RequestScope } from './request-scope.ts';
import type { Snapshot } from './snapshot.ts';

export interface BaseContext {
  readonly request: RequestScope;
  readonly now: number;
}

export interface PublicContext extends BaseContext {
  /**
   * The first batch that writes claims the form key, if there is one, so that a form submitted twice takes effect once.
   */
  readonly directory: GuardedDatabase;
}

export interface Context extends BaseContext {
  readonly caller: Caller;
  readonly reach: Reach;
  readonly via: ChangeOrigin;
  /** The API key or token whose changes the operation undoes. */
  readonly undoOf?: number;
  readonly words: Vocabulary;
  readonly prefersMinimal: boolean;
  readonly snapshot: Snapshot;
  /** The original request, with its body unread. Null unless the route takes bytes. */
  readonly incoming: Request | null;
  readonly db: GuardedDatabase;
  /** Throws if the caller has lost access. Never uses a cache. Call it after a wait and before a lasting effect. */
  readonly recheck: () => Promise<void>;
}

export interface AccountContext extends PublicContext {
  readonly account: Account;
  readonly sessionHash: string;
  readonly snapshot: Snapshot;
  /** Every batch also checks in its transaction that the browser is still signed in. */
  readonly directory: GuardedDatabase;
}

export interface WriteContext {
  readonly caller: Actor;
  readonly via: ChangeOrigin;
  readonly undoOf?: number;
  readonly now: number;
}

type ContextFor<A extends Access> = A extends 'public'
  ? PublicContext
  : A extends 'account'
    ? AccountContext
    : Context;

export interface OperationSpec<A extends Access, I extends z.ZodObject, O extends z.ZodType> {
  name: string;
  summary: string;
  description?: string;
  access: A;
  /** The capability that determines the role's reach. Null for public and account operations, which have no role. */
  capability: A extends 'public' | 'account' ? null : Capability;
  effect: 'read' | 'write';
  input: I;
  output: O;
  replay?: ReplayOptions<A, I, O>;
  /** An example body without path fields, for inputs whose field examples don't form a valid body. */
  example?: Partial<z.input<I>>;
  precondition?: Precondition;
  /** The entries that the operation can add to the audit log. Tests check that it adds no others. */
  audits?: readonly AuditType[];
  /** True if the response is a versioned resource. Responses to all methods then have an ETag with its version. */
  returnsVersion?: boolean;
  /** Set if the operation supports `Prefer: return=minimal`. Returns whether the given response is minimal. */
  isMinimal?: (output: unknown, isPreferred: boolean) => boolean;
  returnsSecret?: boolean;
  deprecated?: Deprecation;
  /** Messages that Edgework sends to URLs that callers register, by name. OpenAPI lists them as webhooks. */
  sends?: Readonly<Record<string, { summary: string; body: z.ZodType }>>;
}

/** Reads a resource's version, and builds a statement that aborts the batch if the version has changed. */
type Precondition = (ctx: Context, id: number) => Promise<{ version: number; unchanged: Statement<void> }>;

interface ReplayOptions<A extends Access, I extends z.ZodObject, O extends z.ZodType> {
  entity?: SQL;
  rebuild: (
    ctx: ContextFor<A>,
    input: z.output<I>,
    entity: A extends 'public' | 'account' ? string : number,
  ) => Promise<z.input<O> | OperationResponse<z.input<O>>>;
}

export interface Operation<
  A extends Access = Access,
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
> extends OperationSpec<A, I, O> {
  handler: (ctx: ContextFor<A>, input: z.output<I>) => Promise<z.input<O> | OperationResponse<z.input<O>>>;
}

// Handler parameters are contravariant, so only `never` fits every operation.
export type AnyOperation = Omit<Operation, 'handler' | 'replay'> & {
  handler: (ctx: never, input: never) => Promise<unknown>;
  replay?: { entity?: SQL; rebuild: (ctx: never, input: never, entity: never) => Promise<unknown> };
};

export function defineOperation<A extends Access, I extends z.ZodObject, O extends z.ZodType>(
  spec: OperationSpec<A, I, O>,
  handler: Operation<A, I, O>['handler'],
): Operation<A, I, O> {
  return { ...spec, handler };
}
