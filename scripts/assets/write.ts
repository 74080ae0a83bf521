import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Leaves a file alone that says the same already: whoever watches it would build again. */
export function writeIfNew(path: string, text: string | Uint8Array): void {
  const bytes = Buffer.from(text);
  if (!existsSync(path) || !readFileSync(path).equals(bytes)) writeFileSync(path, bytes);
}
