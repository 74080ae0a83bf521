import { afterEach, expect, it } from 'vitest';
import { toPercentUsed } from '../../../src/workspaces/directory/cell-usage.ts';
import { createWorkspaceLocation } from '../../../src/workspaces/directory/provision.ts';
import { env } from '../../support/env.ts';
import { openScope } from '../../support/scope.ts';

const GB = 1e9;

afterEach(() => env.DIRECTORY.batch(['cell_usage', 'closed_cells', 'workspaces'].map(buildDeletion)));

const buildDeletion = (table: string) => env.DIRECTORY.prepare(`DELETE FROM ${table}`);

async function recordUsage(...cells: readonly [bytes: number, changes: number][]) {
  await env.DIRECTORY.batch([
    buildDeletion('cell_usage'),
    ...cells.map(([bytes, changes], cell) =>
      env.DIRECTORY.prepare('INSERT INTO cell_usage VALUES (?, ?, ?, 1)').bind(cell, bytes, changes),
    ),
  ]);
}

const chooseCell = async () => (await createWorkspaceLocation(openScope())).cell;

it('the usage of a cell is the higher of its size and its load, relative to their limits', () => {
  expect(toPercentUsed({ bytes: 3.5 * GB, changes: 100 })).toBe(50);
  expect(toPercentUsed({ bytes: 100, changes: 37_500 })).toBe(50);
  expect(toPercentUsed({ bytes: 6.99 * GB, changes: 75_000 })).toBe(100);
  expect(toPercentUsed(undefined)).toBe(0);
});

it('new workspaces are created in the cell with the most room, by size and load', async () => {
  await recordUsage([2 * GB, 0], [1 * GB, 0]);
  expect(await chooseCell()).toBe(1);
  await recordUsage([2 * GB, 0], [1 * GB, 60_000]);
  expect(await chooseCell()).toBe(0);
});

it('a cell that has never been measured counts as empty', async () => {
  await recordUsage([2 * GB, 0]);
  expect(await chooseCell()).toBe(1);
});

it('if several cells are equally full, new workspaces are created in the cell with the fewest workspaces', async () => {
  await recordUsage([1.01 * GB, 10], [1.02 * GB, 500]);
  expect(await chooseCell()).toBe(0);
  await env.DIRECTORY.prepare("INSERT INTO workspaces (id, cell, created_at) VALUES ('ws_one', 0, 1)").run();
  expect(await chooseCell()).toBe(1);
});

it('no new workspace is created in a closed cell, even if the cell is empty', async () => {
  await recordUsage([6 * GB, 0], [0, 0]);
  await env.DIRECTORY.prepare('INSERT INTO closed_cells (cell) VALUES (1)').run();
  expect(await chooseCell()).toBe(0);
  await env.DIRECTORY.prepare('INSERT INTO closed_cells (cell) VALUES (0)').run();
  await expect(chooseCell()).rejects.toThrow('Every bound cell is closed');
});
