import QuickLRU from 'quick-lru';

const CACHED_FORMATS_MAX = 200;
const cachedFormats = new QuickLRU<string, Intl.DateTimeFormat>({ maxSize: CACHED_FORMATS_MAX });

export function getDateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = cachedFormats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(locale, options);
  cachedFormats.set(key, format);
  return format;
}
