export const wrangler: string;
export const quiet: Record<string, string>;
export function runWrangler(args: readonly string[]): string;
