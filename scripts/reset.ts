// Deletes the local databases. The next start creates new ones with the demo.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './databases.ts';

rmSync(join(root, '.wrangler', 'state'), { recursive: true, force: true });
console.log('Local databases removed. `npm start` creates them again.');
