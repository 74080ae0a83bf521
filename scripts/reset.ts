// Forgets the local databases; the next start migrates and seeds fresh ones.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './databases.ts';

rmSync(join(root, '.wrangler', 'state'), { recursive: true, force: true });
console.log('Local databases removed. `npm start` creates them again.');
