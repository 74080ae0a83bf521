interface SessionRange {
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  readonly since?: string | undefined;
  readonly before?: number | undefined;
}

export function buildSessionPath(path: string, { from, until, since, before }: SessionRange): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ from, until, since, before }))
    if (value !== undefined && value !== Number.MAX_SAFE_INTEGER) query.set(name, String(value));
  return `${path}?${query}`;
}
