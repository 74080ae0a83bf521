import fc from 'fast-check';
import { inject } from 'vitest';

/**
 * Property tests use the same inputs in every run. A failure prints the seed, and `scripts/fuzz.ts --seed` tries other
 * inputs.
 */
fc.configureGlobal({ seed: inject('fuzz')?.seed ?? 27 });
