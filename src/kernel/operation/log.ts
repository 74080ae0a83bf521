type Fields = Record<string, string | number | boolean | null | undefined>;

/** Writes one JSON line. Never pass a credential, a password, a token or a body. */
export function log(level: 'info' | 'error', event: string, fields: Fields = {}) {
  const line = JSON.stringify({ level, event, ...fields });
  if (level === 'error') console.error(line);
  else console.log(line);
}

export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
}
