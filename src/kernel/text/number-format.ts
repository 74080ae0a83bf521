// Created once, because creating a format takes longer than formatting a hundred numbers.
const numberFormat = new Intl.NumberFormat('en');

export function formatNumber(number: number): string {
  return numberFormat.format(number);
}

/** Returns text such as "12", or "100+" if there are more than were counted. */
export function formatNumberUpTo(number: number, counted: number): string {
  return number > counted ? `${formatNumber(counted)}+` : formatNumber(number);
}
