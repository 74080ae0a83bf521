import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { env } from '../../support/env.ts';

const HOUR_MS = 3_600_000;
const createWindow = () => env.RATE_WINDOW.getByName(crypto.randomUUID());

it('a rate window allows hits up to the limit, and reports how many are left', async () => {
  const window = createWindow();
  const verdicts = [];
  for (let hit = 1; hit <= 4; hit += 1) verdicts.push(await window.hit(3, HOUR_MS, {}));
  expect(verdicts.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
    [true, 2],
    [true, 1],
    [true, 0],
    [false, 0],
  ]);
  expect(verdicts[3]?.resetSeconds).toBeGreaterThan(3590);
  expect(verdicts[3]?.resetSeconds).toBeLessThanOrEqual(3600);
});

it('a rate window counts all parallel hits', async () => {
  const window = createWindow();
  const verdicts = await Promise.all(
    Array.from({ length: 30 }, () => window.hit(10, HOUR_MS, { durable: true })),
  );
  expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(10);
});

it('a rate window keeps every durable hit after an eviction', async () => {
  const window = createWindow();
  for (let hit = 1; hit <= 3; hit += 1) {
    await window.hit(3, HOUR_MS, { durable: true });
    await evictDurableObject(window);
  }
  expect((await window.hit(3, HOUR_MS, { durable: true })).allowed).toBe(false);
});

it('a rate window drops at most seven non-durable hits in an eviction', async () => {
  const window = createWindow();
  for (let hit = 1; hit <= 15; hit += 1) await window.hit(300, HOUR_MS, {});
  await evictDurableObject(window);
  expect((await window.hit(300, HOUR_MS, {})).remaining).toBe(300 - 9);
});

it('a rate window is empty after it ends, even if its alarm runs twice', async () => {
  const window = createWindow();
  await window.hit(1, 30, { durable: true });
  await new Promise((resolve) => setTimeout(resolve, 60));
  await runInDurableObject(window, async (instance) => {
    await instance.alarm();
    await instance.alarm();
  });
  const stored = await runInDurableObject(window, (_, state) => [...state.storage.kv.list()]);
  expect(stored).toEqual([]);
  expect((await window.hit(1, HOUR_MS, { durable: true })).allowed).toBe(true);
});

it('a rate window stays open when its alarm runs early', async () => {
  const window = createWindow();
  await window.hit(1, HOUR_MS, { durable: true });
  await runDurableObjectAlarm(window);
  await evictDurableObject(window);
  expect((await window.hit(1, HOUR_MS, { durable: true })).allowed).toBe(false);
});

it('a rate window can be read without counting a hit, and can be cleared unless it is full', async () => {
  const window = createWindow();
  expect(await window.peek(2)).toMatchObject({ allowed: true, remaining: 1 });
  await window.hit(2, HOUR_MS, { durable: true });
  expect(await window.peek(2)).toMatchObject({ allowed: true, remaining: 0 });
  expect((await window.clear(2)).allowed).toBe(true);
  await evictDurableObject(window);
  expect(await window.peek(2)).toMatchObject({ allowed: true, remaining: 1 });

  // After too many wrong guesses, a correct password is rejected and doesn't clear the count.
  await window.hit(2, HOUR_MS, { durable: true, hits: 2 });
  expect((await window.peek(2)).allowed).toBe(false);
  expect((await window.clear(2)).allowed).toBe(false);
  await evictDurableObject(window);
  expect((await window.clear(2)).allowed).toBe(false);
});
