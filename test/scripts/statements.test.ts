import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { root } from '../../scripts/databases.ts';
import { collectStatements } from '../../scripts/statements/collect.ts';
import { renderStatements } from '../../scripts/statements/render.ts';
import { isLong } from '../browser/tier.ts';

const folder = join(root, 'docs', 'statements');
/** The number of rows read depends on the timing of queues, so it isn't compared. */
const omitRowCounts = (text: string) => text.replace(/^Rows read: .*$/gm, '');

it('docs/statements shows every statement with its query plan', { skip: !isLong }, async () => {
  const pages = renderStatements(await collectStatements());
  const hint = 'review the change of statements, then run `npm run statements`';
  assert.deepEqual(readdirSync(folder).sort(), [...pages.keys()], hint);
  for (const [file, text] of pages) {
    const written = readFileSync(join(folder, file), 'utf8');
    assert.equal(omitRowCounts(text), omitRowCounts(written), `docs/statements/${file} is outdated: ${hint}`);
  }
});
