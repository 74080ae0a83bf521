import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inputMethods } from './input-methods.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { findAxeProblems, measureOverflow, signInToWorkspace, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
const viewport = { width: 1280, height: 800 };
const run = Date.now().toString(36);
const { storageState, base } = await signInToWorkspace(browser, server.origin);
const sharing = `${base}/projects/1/sharing`;
const picturesFolder = process.env.PICTURES;

async function openSharing() {
  const opened = await visit(browser, { storageState, viewport });
  await opened.page.goto(sharing);
  return opened;
}

/** Creates what is missing, and returns the addresses of the first link and of the form. */
async function shareProject(): Promise<{ link: string; form: string }> {
  const { page, close } = await openSharing();
  await page.getByRole('button', { name: 'Create public link' }).click();
  const link = await page.getByLabel('Public link', { exact: true }).first().inputValue();
  const turnOn = page.getByRole('button', { name: 'Turn on intake form' });
  if ((await turnOn.count()) > 0) await turnOn.click();
  const form = await page.getByLabel('Form address').inputValue();
  await close();
  return { link, form };
}

for (const inputMethod of inputMethods) {
  test(`a public link can be created, opened, and revoked (${inputMethod.name})`, async () => {
    const { page, problems, close } = await visit(browser, {
      ...inputMethod.options,
      storageState,
      viewport,
    });
    await page.goto(sharing);
    const links = page.locator('.public-links > li');
    const before = await links.count();
    await inputMethod.press(page.getByRole('button', { name: 'Create public link' }));
    await links.nth(before).waitFor();
    const address = await page.getByLabel('Public link', { exact: true }).first().inputValue();

    const visitor = await visit(browser, { viewport, javaScriptEnabled: false });
    await visitor.page.goto(address);
    const card = visitor.page.locator('.cards a').first();
    const name = await card.innerText();
    await card.click();
    await visitor.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    assert.deepEqual(visitor.problems, []);

    await page.reload();
    const first = links.first();
    await inputMethod.press(first.getByText('Revoke link…'));
    await inputMethod.press(first.getByRole('button', { name: 'Revoke link' }));
    await links.nth(before).waitFor({ state: 'detached' });
    assert.equal((await visitor.page.goto(address))?.status(), 404);
    await visitor.close();
    assert.deepEqual(problems, []);
    await close();
  });
}

test('a visitor sends a request without JavaScript, corrects a mistake, and sends it once', async () => {
  const { form } = await shareProject();
  const name = `Request ${run}`;
  const { page, problems, close } = await visit(browser, { viewport, javaScriptEnabled: false });
  await page.goto(form);
  await page.getByLabel('What do you need?').fill(name);
  await page.getByLabel('Details').fill('First line\nSecond line');
  await page.getByLabel('Your email address').evaluate((field: HTMLInputElement) => {
    field.type = 'text';
    field.value = 'not an address';
  });
  await page.getByRole('button', { name: 'Send request' }).click();
  await page.locator('.problem').waitFor();
  assert.equal(await page.getByLabel('Details').inputValue(), 'First line\nSecond line');
  await page.getByLabel('Your email address').fill('ada@example.com');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Request sent' }).waitFor();
  await page.reload();
  assert.deepEqual(
    problems.filter((each) => !each.includes('400')),
    [],
  );
  await close();

  const team = await visit(browser, { storageState, viewport });
  await team.page.goto(`${base}/tasks?project=1&q=${encodeURIComponent(name)}`);
  assert.equal(await team.page.locator('tbody tr').count(), 1);
  await team.page.getByRole('link', { name, exact: true }).first().click();
  await team.page.getByText('Intake form').first().waitFor();
  await team.page.getByText('created the task for ada@example.com').waitFor();
  await team.close();
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`the pages are accessible and fit the window in ${colorScheme} mode at ${width} px`, async () => {
      const { link, form } = await shareProject();
      const { page, problems, close } = await visit(browser, {
        storageState,
        colorScheme,
        viewport: { width, height: 800 },
      });
      await page.goto(link);
      const task = await page.locator('.cards a').first().getAttribute('href');
      const addresses = {
        sharing,
        link,
        task: server.origin + task,
        form,
        sent: `${form}/sent`,
        gone: `${link}x`,
      };
      for (const [name, address] of Object.entries(addresses)) {
        await page.goto(address);
        await page.evaluate(() => {
          for (const details of document.querySelectorAll('main details'))
            (details as HTMLDetailsElement).open = true;
        });
        if (picturesFolder)
          await page.screenshot({
            path: `${picturesFolder}/${name}-${colorScheme}-${width}.png`,
            fullPage: true,
          });
        if (name === 'link') {
          const [heading, board, card] = await Promise.all(
            ['h1', '.board', '.cards > li'].map((each) => page.locator(each).first().boundingBox()),
          );
          assert.ok(
            heading && board && card && heading.y + heading.height <= board.y,
            'the board is below its name',
          );
          assert.ok(card.x >= 0 && card.x + card.width <= width, 'the first card fits the window');
        }
        assert.deepEqual(await findAxeProblems(page), [], name);
        assert.ok((await measureOverflow(page)) <= 0, name);
      }
      assert.deepEqual(
        problems.filter((each) => !each.includes('404')),
        [],
      );
      await close();
    });
  }
}
