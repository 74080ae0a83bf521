import { expect, it } from 'vitest';
import { batchByName } from '../../../src/kernel/sql/batch-by-name.ts';
import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { Database, readNumber } from '../../../src/kernel/sql/database.ts';
import { sql } from '../../../src/kernel/sql/sql.ts';
import { cellOf } from '../../support/env.ts';

it('a batch by name returns each result by name, with lists as lists and null for omitted statements', async () => {
  const read = (n: number) => readNumber(sql`SELECT ${n} AS n`);
  const found = await batchByName(new Database(cellOf(0), new CostMeter()), {
    two: read(2),
    omitted: null,
    several: [read(3), read(4)],
    none: [],
    last: read(5),
  });
  expect(found).toEqual({ two: 2, omitted: null, several: [3, 4], none: [], last: 5 });
});
