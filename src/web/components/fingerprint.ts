import { hashSecret } from '../../kernel/tokens.ts';

/** Tells whether a text is still the one that a form was shown with. */
export function fingerprint(value: unknown): string {
  return hashSecret(JSON.stringify(value ?? null)).slice(0, 22);
}
