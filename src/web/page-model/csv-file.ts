import type * as z from 'zod';
import type { Caller } from '../../kernel/access/access.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import type { InputContext, ReadInputs, ReadOperations, ReadOutputs } from './page.ts';

type ListOperation = AnyOperation & { output: z.ZodType<{ data: readonly unknown[] }> };

interface CsvSpec<P extends z.ZodObject, L extends ListOperation, R extends ReadOperations> {
  name: string;
  /** Relative to `/app/:workspace`. */
  path: `/${string}.csv`;
  params: P;
  list: L;
  input: (
    params: z.output<P>,
    asking: InputContext,
  ) => Omit<z.input<L['input']>, 'limit' | 'offset' | 'cursor'>;
  reads: R;
  inputs: (params: z.output<P>) => ReadInputs<R>;
  columns: (
    params: z.output<P>,
    answers: ReadOutputs<R>,
    caller: Caller,
  ) => readonly CsvColumn<ListItem<L>>[];
}

export interface CsvColumn<T> {
  readonly label: string;
  readonly text: (item: T) => string;
}

type ListItem<L extends ListOperation> = z.output<L['output']>['data'][number];

export type AnyCsvFile = Omit<
  CsvSpec<z.ZodObject, ListOperation, ReadOperations>,
  'input' | 'inputs' | 'columns'
> & {
  input: (params: never, asking: InputContext) => Readonly<Record<string, unknown>>;
  inputs: (params: never) => Readonly<Record<string, unknown>>;
  columns: (params: never, answers: never, caller: Caller) => readonly CsvColumn<never>[];
};

export function defineCsvFile<P extends z.ZodObject, L extends ListOperation, R extends ReadOperations>(
  spec: CsvSpec<P, L, R>,
): CsvSpec<P, L, R> {
  return spec;
}
