import { expect, it } from 'vitest';
import { batchByName } from '../../../src/kernel/sql/batch-by-name.ts';
import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { Database, readNumber } from '../../../src/kernel/sql/database.ts';
import { sql } from '../../../src/kernel/sql/sql.ts';
import { getCell } from '../../support/env.ts';

it("batchByName returns each result under its statement's name, and accepts lists of statements and omitted statements", async () => {
  const selectNumber = (n: number) => readNumber(sql`SELECT ${n} AS n`);
  const found = await batchByName(new Database(getCell(0), new CostMeter()), {
    two: selectNumber(2),
    omitted: null,
    several: [selectNumber(3), selectNumber(4)],
    none: [],
    last: selectNumber(5),
  });
  expect(found).toEqual({ two: 2, omitted: null, several: [3, 4], none: [], last: 5 });
});
