// Made once: it takes longer than formatting a hundred numbers.
const format = new Intl.NumberFormat('en');

/** "12,345" */
export function wholeNumber(number: number): string {
  return format.format(number);
}
