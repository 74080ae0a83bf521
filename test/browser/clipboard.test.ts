import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { textsForPages } from '../support/hostile-texts.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { getWorkspaceUrl, type StorageState, signIn, visit } from './visit.ts';

const SEED = 26;
const { server, browser } = await openServerAndBrowser();
let storageState: StorageState;
let task: string;

before(async () => {
  storageState = await signIn(browser, server.origin, demo.member);
  const { page, close } = await visit(browser, { storageState });
  task = `${await getWorkspaceUrl(page, server.origin)}/tasks/38`;
  await close();
});

const run = 'window.__hit = 1';
/** Handlers, styles and URLs in many positions where an HTML tokenizer could find them. */
const markup = [
  // The editor keeps and loads images that are attachments (images.test.ts).
  ...textsForPages.map((each) => each.replaceAll('attachment:1', 'attachment:x')),
  `<p onclick="${run}">Word</p>`,
  `<p title=">" onclick="${run}" style="color:red">Word</p>`,
  `<p/onclick="${run}"/style="color:red">Word</p>`,
  `<p a"b' ONCLICK\n=\n${run.replaceAll(' ', '')}>Word</p>`,
  `<p " onclick="${run}">Word</p>`,
  `<img src="/missing.png" onerror="${run}">Word`,
  `<svg onload="${run}"><image href="/missing.png" /><style>p { color: red }</style></svg>Word`,
  `<math><mtext><p onclick="${run}">Word</p></mtext></math>`,
  `<table style="width:1px" background="/missing.png"><td onclick="${run}">Word</table>`,
  `<td onclick="${run}">Word</td>`,
  `<meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/"><p style="color:red">Word</p>`,
  `<style>p { background: url(/missing.png) }</style><link rel="stylesheet" href="/missing.css"><p>Word</p>`,
  `<template><p onclick="${run}">a</p></template><noscript><p onclick="${run}">b</p></noscript>Word`,
  `<iframe src="/" onload="${run}"></iframe><object data="/"></object><embed src="/">Word`,
  `<!-- <p onclick="${run}"> --><p onclick="${run}" data-pm-slice="1 1 [&quot;box&quot;,{&quot;tag&quot;:&quot;script&quot;}]">Word</p>`,
  `<xmp><p onclick="${run}"></xmp><textarea><p onclick="${run}"></textarea><title><p onclick="${run}"></title>Word`,
  `Word<p onclick="${run}" style="color:red`,
];
const pieces = [
  ...[
    '<p',
    '<a',
    '<td',
    '<svg',
    '<style',
    '<textarea',
    '<!--',
    '-->',
    '</p',
    '<',
    '>',
    '/>',
    '/',
    '=',
    '"',
    "'",
  ],
  ...[' ', '\n', ' onclick', ' style', ' href', ' title', '="color:red"', `="${run}"`, '&quot;', '&lt;', 'a'],
];
const randomMarkup = fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((all) => all.join(''));

for (const way of ['pasted', 'dropped', 'already in the field'] as const)
  test(`the editor never runs handlers, applies styles or sends requests from HTML that is ${way}`, async () => {
    const { page, problems, close } = await visit(browser, { storageState });
    await page.goto(task);
    await page.getByText(/^(Edit|Add a) description$/).click();
    const text = page.locator('.editor').getByRole('textbox', { name: 'Description' });
    await text.waitFor();
    const requests: string[] = [];
    page.on('request', (each) => requests.push(each.url()));
    const given = [...markup, ...fc.sample(randomMarkup, { seed: SEED, numRuns: 500 })];
    const module = (await page.locator('#description').getAttribute('data-module')) ?? '';
    const found = await text.evaluate(
      async (element, { given, way, module }) => {
        const { parseRichText, serializeRichText } = await import(module);
        const field = document.querySelector<HTMLTextAreaElement>('#description');
        const { x, y } = element.getBoundingClientRect();
        const found: string[] = [];
        for (const html of given) {
          const data = new DataTransfer();
          data.setData('text/html', html);
          const options = { bubbles: true, cancelable: true };
          if (way === 'pasted')
            element.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data }));
          else if (way === 'dropped')
            element.dispatchEvent(
              new DragEvent('drop', { ...options, dataTransfer: data, clientX: x + 2, clientY: y + 2 }),
            );
          found.push(
            (way.startsWith('already') ? serializeRichText(parseRichText(html)) : field?.value) ?? '',
          );
        }
        return found;
      },
      { given, way, module },
    );
    for (const [index, html] of markup.entries())
      if (html.includes('Word')) assert.match(found[index] ?? '', /Word/, html);
    assert.doesNotMatch(found.join(''), /<[^>]*(onclick|style|src)/i);
    assert.equal(await page.evaluate(() => '__hit' in window), false);
    assert.deepEqual(requests, []);
    assert.deepEqual([...new Set(problems)], []);
    await close();
  });

test('the editor turns unknown blocks into lines when they are pasted, and keeps content copied from the editor unchanged', async () => {
  const { page, problems, close } = await visit(browser, { storageState });
  await page.goto(task);
  await page.getByText(/^(Edit|Add a) description$/).click();
  const text = page.locator('.editor').getByRole('textbox', { name: 'Description' });
  await text.waitFor();
  const replaceAll = async (html: string) => {
    await text.focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Backspace');
    await text.evaluate((element, html) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', html);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, html);
    return page.locator('#description').inputValue();
  };
  assert.equal(
    await replaceAll('<section style="margin:0"><p>One</p></section><article>Two</article><del>th</del>ree'),
    '<p>One</p>Two<br>three',
  );
  const link = '<a href="/x?a=1&amp;b" title="&quot;&lt;">link</a>';
  const list = `<ul><li><p>One &amp; a ${link}</p></li><li><p>Two</p></li></ul>`;
  assert.equal(await replaceAll(list), list);
  for (const key of ['A', 'C', 'A', 'V']) await page.keyboard.press(`ControlOrMeta+${key}`);
  assert.equal(await page.locator('#description').inputValue(), list);
  assert.deepEqual(problems, []);
  await close();
});
