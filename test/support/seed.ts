import fc from 'fast-check';
import { inject } from 'vitest';

/**
 * Properties try the same inputs in each run. A failure prints the seed, and `scripts/fuzz.ts --seed` tries other
 * inputs.
 */
fc.configureGlobal({ seed: inject('fuzz')?.seed ?? 27 });
