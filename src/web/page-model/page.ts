import type { Child } from 'hono/jsx';
import type * as z from 'zod';
import type { SignedInBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import type { Caller } from '../../kernel/access/access.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';

export type Reads = Readonly<Record<string, AnyOperation>>;

export type Inputs<R extends Reads> = { readonly [K in keyof R]: z.input<R[K]['input']> };
export type Answers<R extends Reads> = { readonly [K in keyof R]: z.output<R[K]['output']> };
type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

/** What was wrong with a form that was sent. The page shows it again, filled in. */
export interface Refused {
  /** Where the form was sent to: tells it from the other forms of its page. */
  readonly action: string;
  readonly values: URLSearchParams;
  /** Says what concerns the whole form; null if every problem is at a field. */
  readonly message: string | null;
  /** Problems by the name of the field. */
  readonly fields: Readonly<Record<string, string>>;
}

/** What every view of a workspace may need beside its answers. */
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
  /** The task whose timer of this person runs. */
  readonly timedTask: number | null;
  readonly refused: Refused | null;
  /** What the form that was just carried out answered, and nothing ever shows again. */
  readonly secret: string | null;
  /** What the form that led here did. */
  readonly flash: FlashMessage | null;
  /** Names of the people whom the texts of this page mention, by their ids. */
  readonly names: ReadonlyMap<string, string>;
}

export interface ViewProps<P extends z.ZodObject, R extends Reads, M extends Reads> {
  readonly visit: Visit;
  readonly params: z.output<P>;
  readonly answers: Answers<R> & Nullable<Answers<M>>;
}

/** Who asks, for what a page asks of its operations. */
export interface Asking {
  /** Id of the person. */
  readonly me: string;
  /** The civil date on the clock of the workspace. */
  readonly today: string;
}

/** The name of the query that names nothing, and what its control says. */
interface Unknown<Name extends string, Answer> {
  readonly filter: Name;
  readonly says: string;
  /** Whether the answer has what the filter names; by default an answer has, and a refusal has not. */
  readonly isIn?: (answer: Answer, named: string) => boolean;
}

type AnswerOf<R extends Reads, K> = K extends keyof R ? z.output<R[K]['output']> : never;

interface PageSpec<P extends z.ZodObject, R extends Reads, M extends Reads> {
  /** camelCase, unique. */
  name: string;
  /** Behind `/app/:workspace`, in Hono's notation. */
  path: string;
  /** What the tab says. */
  title: (props: ViewProps<P, R, M>) => string;
  /** Names of the path and the query. Text that does not fit is a page that does not exist. */
  params: P;
  /** What is wrong with the query, by name: it is said at that field of the filter, and asked for as if it were not there. */
  problems?: (params: z.output<P>) => Readonly<Record<string, string>>;
  /** Names of the query that the page has a control for: what does not fit is refused there, instead of the page. */
  filters?: readonly (keyof z.output<P> & string)[];
  /** Reads that tell whether a name of the query names something here. */
  unknown?: {
    readonly [K in keyof R | keyof M]?: Unknown<keyof z.output<P> & string, AnswerOf<R, K> | AnswerOf<M, K>>;
  };
  /** Operations whose answers the view shows. A refusal of one is a refusal of the page. */
  reads: R;
  /** Operations that are asked only where `inputs` names an input; the view gets null if one is refused. */
  optionalReads?: M;
  inputs: (
    params: z.output<P>,
    asking: Asking,
  ) => Inputs<R> & { readonly [K in keyof M]?: z.input<M[K]['input']> | null };
  /** A function of the answers: no rule, no statement. */
  view: (props: ViewProps<P, R, M>) => Child;
  /** Leads on to another address instead of showing the view, such as that of a download. `base` is that of `Visit`. */
  leadsTo?: (answers: Answers<R>, base: string) => string;
  /** Texts of the answers that may mention people. Only where they do, a second trip asks for the names. */
  texts?: (answers: Answers<R> & Nullable<Answers<M>>) => readonly string[];
  /** The source of the client module that the page loads instead of the common one. It contains that one: one request. */
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
  /** `inside`: pages that are `around` show it beside what they show. */
  framing?: 'inside' | 'around';
  /** It needs no styles but those of src/web/styles/common.css. */
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
  /** The input as the form said it. */
  readonly input: I;
  readonly fields: URLSearchParams;
  /** Path and query of the page that held the form. */
  readonly back: string;
  readonly base: string;
}

/** What is said of a form that was carried out, and the form of the same workspace that takes it back. */
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
  /** An operation that only reads; it runs as the person who sent the form. */
  readonly operation: O;
  readonly input: (fields: URLSearchParams) => z.input<O['input']>;
  /** The input of the form's operation, or what is wrong with the fields, by their names. */
  readonly of: (
    answer: z.output<O['output']>,
    fields: URLSearchParams,
  ) => { readonly input: Record<string, unknown> } | { readonly problems: Refused['fields'] };
}

/** What the fields of a form mean, where only the stored data can tell. */
export interface FieldResolver extends Omit<FieldResolverSpec<AnyOperation>, 'of'> {
  readonly of: (answer: never, fields: URLSearchParams) => ReturnType<FieldResolverSpec<AnyOperation>['of']>;
}

export function fieldResolver<O extends AnyOperation>(spec: FieldResolverSpec<O>): FieldResolver {
  return spec;
}

interface FormSpec<O extends AnyOperation> {
  name: string;
  /** Behind `/app/:workspace`. Names of the path are names of the operation's input. */
  path: string;
  operation: O;
  /** Where to go afterwards, with 303; by default back to the page that held the form. */
  redirectTo?: (output: z.output<O['output']>, sent: SentForm<z.output<O['input']>>) => string;
  /** Names of the fields that hold several lines; in every other one a line break becomes a space. */
  multiline?: readonly string[];
  /** Makes the input of the fields where they are not named as the input is. */
  toInput?: (fields: URLSearchParams) => Record<string, unknown>;
  /** Asks what the fields mean, and makes the input of the answer. */
  resolver?: FieldResolver;
  /** Where it leads instead of being carried out, such as to a page that shows what it would do. */
  leadsTo?: (fields: URLSearchParams, base: string) => string | null;
  /** The page on which it comes back, by what it says; by default the page that held it. */
  errorPage?: (fields: URLSearchParams, base: string) => string;
  /** Whether it asks for that page alone, and is not carried out. */
  isPreview?: (fields: URLSearchParams) => boolean;
  /** What the form is sent for, if not what its fields say. */
  fixed?: Partial<z.input<O['input']>>;
  /** Finds a secret in the answer: the page shows it instead of being gone to. */
  secret?: (output: z.output<O['output']>) => string;
  /** What the next page says of it, once. */
  flash?: (carriedOut: CompletedForm<O>) => FlashMessage | null;
  /** For a form that removes something: `undone` offers an undo afterwards, `asked` is sent from a question. */
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

/** A write of the web app, as data. Its statements, rules and refusals are those of its operation. */
export function form<O extends AnyOperation>(spec: FormSpec<O>): WebForm<O> {
  return spec;
}
