import QuickLRU from 'quick-lru';

const FORMATS_MAX = 200;
const formats = new QuickLRU<string, Intl.DateTimeFormat>({ maxSize: FORMATS_MAX });

/** Creating a format takes longer than formatting a hundred dates, so formats are cached. */
export function getDateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}
