// Replaces values that differ in every run with placeholders: times, days, random ids, tokens, cursors, hashes and
// ports.

/** Dates within this many days are written relative to today. Other dates, such as in examples, are kept. */
const DAYS_AROUND_TODAY = 100;
const DAY_MS = 86_400_000;

const measured = /^(durationSeconds|ms|totalSeconds|totalHours)$/;

const fixed: readonly [RegExp, string][] = [
  [/http:\/\/(localhost|127\.0\.0\.1):\d+/g, '<origin>'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<session token>'],
  [/\bew_([a-z]+)_[\w…]+/g, '<$1 token>'],
  [/\bwhsec_[\w+/=]+/g, '<webhook secret>'],
  [/(?<![\da-f])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, '<uuid>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>'],
  [/\b\d{8}T\d{6}Z\b/g, '<time>'],
  [/\bcursor=[^&>"\s]+/g, 'cursor=<cursor>'],
  [/\b[\da-f]{64,}\b/g, '<hash>'],
  [/\b1[6-9]\d{11}\b/g, '<ms>'],
];

/**
 * Matches random text: mixed-case strings of 27 or 43 characters (160 or 256 bits in Base64), or of at least 20
 * characters including a digit.
 */
const random =
  /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?:[\w-]{27}|[\w-]{43}|(?=[\w-]*\d)[\w-]{20,})(?![\w-])/g;
const named = /\b(usr|ws)_[A-Za-z0-9]{21}\b/g;
const civil = /\b20\d\d-\d\d-\d\d\b/g;

export function createNormalizer(now: number) {
  const today = Math.floor(now / DAY_MS);
  const labels = new Map<string, string>();
  const counts = new Map<string, number>();

  /** Gives the same id the same label everywhere, so that a comparison reveals mixed-up ids. */
  const label = (id: string, kind: string) => {
    const known = labels.get(id);
    if (known !== undefined) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    labels.set(id, `<${kind} ${count}>`);
    return `<${kind} ${count}>`;
  };

  const text = (value: string): string => {
    const cleaned = fixed.reduce((rest, [pattern, name]) => rest.replace(pattern, name), value);
    return cleaned
      .replace(named, label)
      .replace(random, '<random>')
      .replace(civil, (date) => {
        const days = Math.round(Date.parse(date) / DAY_MS) - today;
        return Math.abs(days) <= DAYS_AROUND_TODAY ? `<today${days < 0 ? '' : '+'}${days}>` : date;
      });
  };

  const json = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return measured.test(key) ? '<measured>' : value;
    if (Array.isArray(value)) return value.map((each) => json(each, key));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [text(name), json(each, name)]));
  };

  return { text, json };
}
