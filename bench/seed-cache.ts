// Keeps seeded workspaces for later runs, until the seed or the migrations change.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/databases.ts';
import { countAllTasks, createWorldDatabase, readMigrationFiles } from './seed.ts';
import type { World } from './world.ts';

export function loadSeed(
  size: number,
  { folder, fresh, note }: { folder: string; fresh: boolean; note: (line: string) => void },
): { cell: string; world: World } {
  const target = join(folder, `${size}-${computeFingerprint()}`);
  if (fresh) rmSync(target, { recursive: true, force: true });
  if (!existsSync(target)) {
    deleteOlderSeeds(folder, size);
    const startedAt = Date.now();
    note(`Seeding ${size.toLocaleString('en')} tasks …`);
    const making = `${target}.making`;
    rmSync(making, { recursive: true, force: true });
    mkdirSync(making, { recursive: true });
    const world = createWorldDatabase(join(making, 'cell.sqlite'), size);
    writeFileSync(join(making, 'world.json'), JSON.stringify(world));
    renameSync(making, target);
    note(`Seeded ${size.toLocaleString('en')} tasks in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  }
  return {
    cell: join(target, 'cell.sqlite'),
    world: JSON.parse(readFileSync(join(target, 'world.json'), 'utf8')),
  };
}

function computeFingerprint(): string {
  const hash = createHash('sha256').update(readFileSync(join(root, 'bench', 'seed.ts')));
  for (const { sql } of readMigrationFiles()) hash.update(sql);
  for (const { sql } of countAllTasks()) hash.update(sql);
  return hash.digest('hex').slice(0, 12);
}

function deleteOlderSeeds(folder: string, size: number): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (name.startsWith(`${size}-`)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
