// Opening and saving a description must not change its visible content. To test more random input:
// RICH_TEXTS=200000 RICH_TEXTS_SEED=7 npx node --test test/browser/rich-text.test.ts
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sanitizeRichText } from '../../src/kernel/rich-text/rich-text.ts';
import { knownTexts, randomTexts, rewriteTexts } from './rich-texts.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { getWorkspaceUrl, signIn, visit } from './visit.ts';

const COUNT = Number(process.env.RICH_TEXTS ?? 3_000);
const SEED = Number(process.env.RICH_TEXTS_SEED ?? 27);
const BATCH = 1_000;
const { server, browser } = await openServerAndBrowser();

test('the editor loads and saves sanitized text without changing its visible content', async () => {
  const storageState = await signIn(browser, server.origin, demo.member);
  const { page, problems, close } = await visit(browser, { storageState });
  await page.goto(`${await getWorkspaceUrl(page, server.origin)}/tasks/38`);
  const editor = (await page.locator('#description').getAttribute('data-module')) ?? '';
  const expectUnchanged = async (stored: readonly string[], source: string) => {
    const written = await rewriteTexts(page, editor, stored);
    for (const [index, { html, before, after }] of written.entries()) {
      const which = `${source}, text ${index}: ${JSON.stringify(stored[index])}`;
      if (before !== null) assert.equal(after, before, which);
      assert.equal(sanitizeRichText(html), html, which);
    }
    return written.filter(({ before }) => before !== null).length;
  };
  await expectUnchanged(knownTexts, 'known');
  let held = 0;
  for (let at = 0; at < COUNT; at += BATCH) {
    const seed = SEED + at / BATCH;
    held += await expectUnchanged(randomTexts(BATCH, seed), `RICH_TEXTS=${BATCH} RICH_TEXTS_SEED=${seed}`);
  }
  assert.ok(held > 0.9 * COUNT, `${held} of ${COUNT} can be written as HTML`);
  assert.deepEqual(problems, []);
  await close();
});
