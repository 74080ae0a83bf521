import fc from 'fast-check';
import { inject } from 'vitest';

/** Properties try the same inputs in each run, and fail again. A failure prints the seed; `scripts/fuzz.ts --seed` tries others. */
fc.configureGlobal({ seed: inject('fuzz')?.seed ?? 27 });
