// Forgets the local databases; the next start migrates and seeds fresh ones.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

rmSync(fileURLToPath(new URL('../.wrangler/state', import.meta.url)), { recursive: true, force: true });
console.log('Local databases removed. `npm start` creates them again.');
