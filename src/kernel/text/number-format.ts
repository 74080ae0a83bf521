const numberFormat = new Intl.NumberFormat('en');

export function formatNumber(number: number): string {
  return numberFormat.format(number);
}

export function formatNumberUpTo(number: number, counted: number): string {
  return number > counted ? `${formatNumber(counted)}+` : formatNumber(number);
}

/** Returns "1 task", "3 tasks", or "100+ tasks" if counting stopped at 100. */
export function formatCount(number: number, noun: string, countedTo: number | undefined = number): string {
  return `${formatNumberUpTo(number, countedTo)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Rounds up, so that a retry after this time succeeds. */
export function formatWaitTime(seconds: number): string {
  if (seconds < 60) return formatCount(seconds, 'second');
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? formatCount(minutes, 'minute') : formatCount(Math.ceil(minutes / 60), 'hour');
}
