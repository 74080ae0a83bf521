import { meteredEnv } from '../../support/api.ts';

/** The work of one batch in a cell, in figures that don't depend on the machine. */
export interface Batch {
  /** The number of tokens that the batch wrote into a search index. */
  readonly tokens: number;
  /** Whether the batch wrote to a search index or its queue. */
  readonly writesSearch: boolean;
  /** The number of JSON characters in the rows that the worker received. */
  readonly charactersRead: number;
  readonly rowsWritten: number;
}

interface SentStatement {
  readonly sql: string;
  readonly params: readonly unknown[];
}

export function recordBatches(): { bindings: Partial<Env>; batches: Batch[] } {
  const batches: Batch[] = [];
  const cell = meteredEnv.CELL_0;
  const sent = new WeakMap<object, SentStatement>();
  const CELL_0 = {
    prepare: (sql: string) => ({
      bind(...params: unknown[]) {
        const statement = cell.prepare(sql).bind(...params);
        sent.set(statement, { sql, params });
        return statement;
      },
    }),
    async batch(statements: D1PreparedStatement[]) {
      const results = await cell.batch(statements);
      const asked = statements.flatMap((each) => sent.get(each) ?? []);
      batches.push({
        tokens: asked.reduce((sum, each) => sum + countTokens(each), 0),
        writesSearch: asked.some(({ sql }) => WRITES_SEARCH.test(sql)),
        charactersRead: JSON.stringify(results.map((each) => each.results)).length,
        rowsWritten: results.reduce((sum, { meta }) => sum + meta.rows_written, 0),
      });
      return results;
    },
  };
  return { bindings: { CELL_0 } as unknown as Partial<Env>, batches };
}

const WRITES_SEARCH = /(?:INTO|FROM|UPDATE) (?:task_search|comment_search|search_waiting)\b(?! s\b)(?! w\b)/;

function countTokens({ sql, params }: SentStatement): number {
  if (!/INTO (?:task|comment)_search/.test(sql)) return 0;
  const texts = params.filter((each) => typeof each === 'string');
  return texts.reduce((sum, text) => sum + (text.match(/\w+_\w+/g) ?? []).length, 0);
}
