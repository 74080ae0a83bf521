import type { Child } from 'hono/jsx';
import type * as z from 'zod';
import type { SignedInBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import type { Caller } from '../../kernel/access/access.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';

export type ReadOperations = Readonly<Record<string, AnyOperation>>;

export type ReadInputs<R extends ReadOperations> = { readonly [K in keyof R]: z.input<R[K]['input']> };
export type ReadOutputs<R extends ReadOperations> = { readonly [K in keyof R]: z.output<R[K]['output']> };
type NullableOutputs<T> = { readonly [K in keyof T]: T[K] | null };

export interface RejectedForm {
  readonly action: string;
  readonly values: URLSearchParams;
  readonly message: string | null;
  readonly fields: Readonly<Record<string, string>>;
}

export interface Visit {
  readonly browser: SignedInBrowser;
  readonly caller: Caller;
  /** `/app/ws_…`, the start of every URL in the workspace. */
  readonly base: string;
  /** The scheme and host of the site. */
  readonly origin: string;
  readonly address: string;
  readonly today: string;
  readonly now: number;
  readonly timedTask: number | null;
  readonly theme: 'system' | 'light' | 'dark';
  readonly rejected: RejectedForm | null;
  /** A secret that the submitted form created. It is displayed only once. */
  readonly secret: string | null;
  readonly flash: FlashMessage | null;
  readonly names: ReadonlyMap<string, string>;
  readonly references: PageReferences;
}

/** The tasks and images to which the texts on a page refer, as far as the reader can see them. */
interface PageReferences {
  readonly tasks: ReadonlyMap<number, string>;
  readonly images: ReadonlySet<number>;
  /** The URL of the task's files. Null on pages whose texts have no files. */
  readonly filesUrl: string | null;
}

export interface ViewProps<P extends z.ZodObject, R extends ReadOperations, M extends ReadOperations> {
  readonly visit: Visit;
  readonly params: z.output<P>;
  readonly answers: ReadOutputs<R> & NullableOutputs<ReadOutputs<M>>;
}

export interface InputContext {
  readonly me: string;
  readonly today: string;
}

/** Checks that a filter's value exists. If it doesn't, the filter displays the message. */
interface FilterCheck<Name extends string, Answer> {
  readonly filter: Name;
  readonly message: string;
  /** Returns whether the answer contains the filter's value. By default, the value exists if the read succeeds. */
  readonly isIn?: (answer: Answer, named: string) => boolean;
}

type OneOrMore<T> = T | readonly T[];

type ReadOutput<R extends ReadOperations, K> = K extends keyof R ? z.output<R[K]['output']> : never;

interface MentionedPerson {
  readonly id: string;
  readonly name: string;
}

interface TaskReferences {
  /** The task whose files the texts can show. */
  readonly task: number;
  readonly tasks: readonly { readonly id: number; readonly name: string }[];
  readonly images: readonly number[];
}

interface PageSpec<P extends z.ZodObject, R extends ReadOperations, M extends ReadOperations> {
  name: string;
  /** Relative to `/app/:workspace`, in Hono's syntax. */
  path: string;
  title: (props: ViewProps<P, R, M>) => string;
  /** Path and query parameters. The page returns 404 if a value is invalid, unless its filter displays the error. */
  params: P;
  /** Messages for invalid query parameters, by name. The page ignores the invalid values. */
  problems?: (params: z.output<P>) => Readonly<Record<string, string>>;
  /** Parameters whose filter displays the error if the value is invalid. */
  filters?: readonly (keyof z.output<P> & string)[];
  unknown?: {
    readonly [K in keyof R | keyof M]?: OneOrMore<
      FilterCheck<keyof z.output<P> & string, ReadOutput<R, K> | ReadOutput<M, K>>
    >;
  };
  reads: R;
  /** Each read runs only if `inputs` contains an input for it. If it is skipped or fails, the view receives null. */
  optionalReads?: M;
  inputs: (
    params: z.output<P>,
    context: InputContext,
  ) => ReadInputs<R> & { readonly [K in keyof M]?: z.input<M[K]['input']> | null };
  view: (props: ViewProps<P, R, M>) => Child;
  /** The URL to redirect to instead of rendering the view, such as a download. */
  redirectTo?: (answers: ReadOutputs<R>, base: string) => string;
  mentioned?: (answers: ReadOutputs<R> & NullableOutputs<ReadOutputs<M>>) => readonly MentionedPerson[];
  references?: (answers: ReadOutputs<R>) => TaskReferences;
  script?:
    | 'board'
    | 'calendar'
    | 'inbox'
    | 'list'
    | 'meeting'
    | 'my-work'
    | 'push'
    | 'saves'
    | 'search'
    | 'shortcuts'
    | 'task'
    | 'timeline';
  hasTaskPanel?: true;
  hasCommonStyles?: true;
}

export interface Page<
  P extends z.ZodObject = z.ZodObject,
  R extends ReadOperations = ReadOperations,
  M extends ReadOperations = ReadOperations,
> extends PageSpec<P, R, M> {}

export type AnyPage = Omit<
  Page,
  'title' | 'problems' | 'filters' | 'unknown' | 'inputs' | 'view' | 'redirectTo' | 'mentioned' | 'references'
> & {
  problems?: (params: never) => Readonly<Record<string, string>>;
  filters?: readonly string[];
  unknown?: Readonly<Record<string, OneOrMore<FilterCheck<string, never>> | undefined>>;
  mentioned?: (answers: never) => readonly MentionedPerson[];
  references?: (answers: never) => TaskReferences;
  redirectTo?: (answers: never, base: string) => string;
  title: (props: never) => string;
  inputs: (params: never, context: InputContext) => Readonly<Record<string, unknown>>;
  view: (props: never) => Child;
};

export function definePage<
  P extends z.ZodObject,
  R extends ReadOperations,
  M extends ReadOperations = Record<never, never>,
>(spec: PageSpec<P, R, M>): Page<P, R, M> {
  return spec;
}

interface FormSubmission<I> {
  readonly input: I;
  readonly fields: URLSearchParams;
  readonly back: string;
  readonly base: string;
}

export interface FlashMessage {
  readonly text: string;
  readonly link?: { readonly path: string; readonly label: string };
  readonly undo?: { readonly path: string; readonly fields: Readonly<Record<string, string | number>> };
}

interface CompletedForm<O extends AnyOperation> {
  readonly output: z.output<O['output']>;
  readonly input: z.output<O['input']>;
  readonly fields: URLSearchParams;
  readonly now: number;
}

interface FieldResolverSpec<O extends AnyOperation> {
  /** Runs with the access of the person who submitted the form. */
  readonly operation: O;
  /** The fields that this reads and that aren't input themselves. */
  readonly fields: readonly string[];
  /** Null if the fields have nothing to resolve. */
  readonly input: (fields: URLSearchParams) => z.input<O['input']> | null;
  /** `input` is added to the input that the fields contain, and replaces values with the same names. */
  readonly of: (
    answer: z.output<O['output']>,
    fields: URLSearchParams,
  ) => { readonly input: Record<string, unknown> } | { readonly problems: RejectedForm['fields'] };
}

export interface FieldResolver extends Omit<FieldResolverSpec<AnyOperation>, 'of'> {
  readonly of: (answer: never, fields: URLSearchParams) => ReturnType<FieldResolverSpec<AnyOperation>['of']>;
}

export function defineFieldResolver<O extends AnyOperation>(spec: FieldResolverSpec<O>): FieldResolver {
  return spec;
}

interface FormSpec<O extends AnyOperation> {
  name: string;
  /** Relative to `/app/:workspace`. Path parameters become input of the operation. */
  path: string;
  operation: O;
  redirectTo?: (output: z.output<O['output']>, submission: FormSubmission<z.output<O['input']>>) => string;
  /** Fields that keep their line breaks. In others, except passwords and URLs, line breaks become spaces. */
  multiline?: readonly string[];
  toInput?: (fields: URLSearchParams) => Record<string, unknown>;
  resolver?: FieldResolver;
  /** The URL to redirect to instead of running the operation, such as a preview. */
  redirectInstead?: (fields: URLSearchParams, base: string) => string | null;
  /** The page that displays the form's errors. Defaults to the form's page. */
  errorPage?: (fields: URLSearchParams, base: string) => string;
  isPreview?: (fields: URLSearchParams) => boolean;
  /** Input values that form fields can't override. */
  fixed?: Partial<z.input<O['input']>>;
  /** Returns a new secret. The form's page is then displayed with the secret, without a redirect. */
  secret?: (output: z.output<O['output']>) => string;
  flash?: (carriedOut: CompletedForm<O>) => FlashMessage | null;
  /** Set by forms that remove something. `undone`: people can undo the removal. `asked`: they confirm it first. */
  removal?: 'undone' | 'asked';
}

export interface WebForm<O extends AnyOperation = AnyOperation> extends FormSpec<O> {}

export type AnyForm = Omit<WebForm, 'redirectTo' | 'fixed' | 'secret' | 'flash'> & {
  flash?: (carriedOut: never) => FlashMessage | null;
  secret?: (output: never) => string;
  redirectTo?: (output: never, submission: never) => string;
  fixed?: Readonly<Record<string, unknown>>;
};

export function defineForm<O extends AnyOperation>(spec: FormSpec<O>): WebForm<O> {
  return spec;
}
