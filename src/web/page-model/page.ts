import type { Child } from 'hono/jsx';
import type * as z from 'zod';
import type { SignedInBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import type { Caller } from '../../kernel/access/access.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';

export type Reads = Readonly<Record<string, AnyOperation>>;

export type Inputs<R extends Reads> = { readonly [K in keyof R]: z.input<R[K]['input']> };
export type Answers<R extends Reads> = { readonly [K in keyof R]: z.output<R[K]['output']> };
type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

export interface Refused {
  /** The form's address. */
  readonly action: string;
  readonly values: URLSearchParams;
  /** The error of the form as a whole; null if every problem is at a field. */
  readonly message: string | null;
  /** Problems by the name of the field. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Everything a workspace view may need besides its answers. */
export interface Visit {
  readonly browser: SignedInBrowser;
  readonly caller: Caller;
  /** `/app/ws_…`, to begin addresses with. */
  readonly base: string;
  /** Path and query of this page. */
  readonly address: string;
  /** The civil date on the clock of the workspace. */
  readonly today: string;
  readonly now: number;
  /** The task whose timer is running for this person. */
  readonly timedTask: number | null;
  readonly refused: Refused | null;
  /** A secret that the last form created. It is shown only once. */
  readonly secret: string | null;
  /** The flash message of the last form. */
  readonly flash: FlashMessage | null;
  /** Names of mentioned people, by id. */
  readonly names: ReadonlyMap<string, string>;
}

export interface ViewProps<P extends z.ZodObject, R extends Reads, M extends Reads> {
  readonly visit: Visit;
  readonly params: z.output<P>;
  readonly answers: Answers<R> & Nullable<Answers<M>>;
}

export interface Asking {
  /** Id of the person. */
  readonly me: string;
  /** The civil date on the clock of the workspace. */
  readonly today: string;
}

/** A filter that matches nothing, and the message at its control. */
interface Unknown<Name extends string, Answer> {
  readonly filter: Name;
  readonly says: string;
  /** Whether the answer contains the filter's subject; by default, if the read succeeds. */
  readonly isIn?: (answer: Answer, named: string) => boolean;
}

type AnswerOf<R extends Reads, K> = K extends keyof R ? z.output<R[K]['output']> : never;

interface PageSpec<P extends z.ZodObject, R extends Reads, M extends Reads> {
  /** camelCase, unique. */
  name: string;
  /** After `/app/:workspace`, in Hono's notation. */
  path: string;
  title: (props: ViewProps<P, R, M>) => string;
  /** Parameters of path and query. Invalid ones are a 404. */
  params: P;
  /** Problems with the query, by name. They are shown at their filters, and these parameters are ignored. */
  problems?: (params: z.output<P>) => Readonly<Record<string, string>>;
  /** Parameters with a control. Invalid values are reported there instead of failing the page. */
  filters?: readonly (keyof z.output<P> & string)[];
  /** Reads that tell whether a parameter's subject exists. */
  unknown?: {
    readonly [K in keyof R | keyof M]?: Unknown<keyof z.output<P> & string, AnswerOf<R, K> | AnswerOf<M, K>>;
  };
  /** Reads of the view. If one fails, the page fails. */
  reads: R;
  /** Reads that run only if `inputs` has an input for them. The view gets null if one fails. */
  optionalReads?: M;
  inputs: (
    params: z.output<P>,
    asking: Asking,
  ) => Inputs<R> & { readonly [K in keyof M]?: z.input<M[K]['input']> | null };
  /** Renders the answers. Contains no rules. */
  view: (props: ViewProps<P, R, M>) => Child;
  /** Redirects instead of showing the view, such as to a download. */
  leadsTo?: (answers: Answers<R>, base: string) => string;
  /** Texts that may mention people, whose names are then read in a second trip. */
  texts?: (answers: Answers<R> & Nullable<Answers<M>>) => readonly string[];
  /** The page's client module, which includes the common one. */
  script?:
    | 'board'
    | 'calendar'
    | 'inbox'
    | 'list'
    | 'meeting'
    | 'my-work'
    | 'saves'
    | 'search'
    | 'shortcuts'
    | 'task';
  /** `inside`: shown in a panel by pages that are `around`. */
  framing?: 'inside' | 'around';
  /** Needs only the styles of src/web/styles/common.css. */
  hasCommonStyles?: true;
}

export interface Page<P extends z.ZodObject = z.ZodObject, R extends Reads = Reads, M extends Reads = Reads>
  extends PageSpec<P, R, M> {}

/** The type of a page in a list. */
export type AnyPage = Omit<
  Page,
  'title' | 'problems' | 'filters' | 'unknown' | 'inputs' | 'view' | 'leadsTo' | 'texts'
> & {
  problems?: (params: never) => Readonly<Record<string, string>>;
  filters?: readonly string[];
  unknown?: Readonly<Record<string, Unknown<string, never> | undefined>>;
  texts?: (answers: never) => readonly string[];
  leadsTo?: (answers: never, base: string) => string;
  title: (props: never) => string;
  inputs: (params: never, asking: Asking) => Readonly<Record<string, unknown>>;
  view: (props: never) => Child;
};

/** A screen of a workspace, as data. */
export function page<P extends z.ZodObject, R extends Reads, M extends Reads = Record<never, never>>(
  spec: PageSpec<P, R, M>,
): Page<P, R, M> {
  return spec;
}

interface SentForm<I> {
  readonly input: I;
  readonly fields: URLSearchParams;
  readonly back: string;
  readonly base: string;
}

/** The message after a form, and the form that undoes it. */
export interface FlashMessage {
  readonly text: string;
  readonly undo?: { readonly path: string; readonly fields: Readonly<Record<string, string | number>> };
}

interface CompletedForm<O extends AnyOperation> {
  readonly output: z.output<O['output']>;
  readonly input: z.output<O['input']>;
  readonly fields: URLSearchParams;
  readonly now: number;
}

interface FieldResolverSpec<O extends AnyOperation> {
  /** A read, run as the person who sent the form. */
  readonly operation: O;
  readonly input: (fields: URLSearchParams) => z.input<O['input']>;
  /** The operation's input, or problems by field. */
  readonly of: (
    answer: z.output<O['output']>,
    fields: URLSearchParams,
  ) => { readonly input: Record<string, unknown> } | { readonly problems: Refused['fields'] };
}

/** Resolves form fields that depend on stored data. */
export interface FieldResolver extends Omit<FieldResolverSpec<AnyOperation>, 'of'> {
  readonly of: (answer: never, fields: URLSearchParams) => ReturnType<FieldResolverSpec<AnyOperation>['of']>;
}

export function fieldResolver<O extends AnyOperation>(spec: FieldResolverSpec<O>): FieldResolver {
  return spec;
}

interface FormSpec<O extends AnyOperation> {
  name: string;
  /** After `/app/:workspace`. Names of the path are names of the operation's input. */
  path: string;
  operation: O;
  /** Where to redirect afterwards; by default back to the form's page. */
  redirectTo?: (output: z.output<O['output']>, sent: SentForm<z.output<O['input']>>) => string;
  /** Multi-line fields. In all others, a line break becomes a space. */
  multiline?: readonly string[];
  /** Converts fields whose names differ from the input's. */
  toInput?: (fields: URLSearchParams) => Record<string, unknown>;
  /** Builds the input from stored data. */
  resolver?: FieldResolver;
  /** Redirects instead of running, such as to a preview. */
  leadsTo?: (fields: URLSearchParams, base: string) => string | null;
  /** The page that shows the form's errors; by default the form's page. */
  errorPage?: (fields: URLSearchParams, base: string) => string;
  /** Whether to show that page only, without running. */
  isPreview?: (fields: URLSearchParams) => boolean;
  /** Input values that the fields can't change. */
  fixed?: Partial<z.input<O['input']>>;
  /** Extracts a secret from the output. The page shows it instead of redirecting. */
  secret?: (output: z.output<O['output']>) => string;
  /** The flash message of the next page. */
  flash?: (carriedOut: CompletedForm<O>) => FlashMessage | null;
  /** For a form that removes something: `undone` offers undo, `asked` follows a confirmation. */
  removal?: 'undone' | 'asked';
}

export interface WebForm<O extends AnyOperation = AnyOperation> extends FormSpec<O> {}

/** The type of a form in a list. */
export type AnyForm = Omit<WebForm, 'redirectTo' | 'fixed' | 'secret' | 'flash'> & {
  flash?: (carriedOut: never) => FlashMessage | null;
  secret?: (output: never) => string;
  redirectTo?: (output: never, sent: never) => string;
  fixed?: Readonly<Record<string, unknown>>;
};

/** A write of the web app, as data. The operation holds its rules. */
export function form<O extends AnyOperation>(spec: FormSpec<O>): WebForm<O> {
  return spec;
}
