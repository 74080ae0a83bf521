const browserNames = [
  ['Firefox', /Firefox\//],
  ['Edge', /Edg\//],
  ['Chrome', /Chrome\//],
  ['Safari', /Safari\//],
] as const;
const operatingSystems = [
  ['Android', /Android/],
  ['iPhone or iPad', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

export function describeBrowser(userAgent: string): string {
  const product = browserNames.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? 'Unknown browser';
  const system = operatingSystems.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return system === undefined ? product : `${product} on ${system}`;
}

const PROGRAM_PATTERN = /^[\w.-]{1,40}(\/[\w.-]{1,20})?/;

export function describeUserAgent(userAgent: string): string | null {
  if (browserNames.some(([, pattern]) => pattern.test(userAgent))) return describeBrowser(userAgent);
  return PROGRAM_PATTERN.exec(userAgent)?.[0] ?? null;
}
