const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** How a meeting that begins on this day may repeat. */
export function rulesOf(date: string): string[] {
  const day = weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? 'MO';
  const dayOfMonth = Number(date.slice(8));
  const nth = Math.ceil(dayOfMonth / 7);
  return [
    'FREQ=DAILY',
    'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    `FREQ=WEEKLY;BYDAY=${day}`,
    `FREQ=WEEKLY;INTERVAL=2;BYDAY=${day}`,
    `FREQ=MONTHLY;BYMONTHDAY=${dayOfMonth}`,
    `FREQ=MONTHLY;BYDAY=${nth > 4 ? -1 : nth}${day}`,
  ];
}

/** The rule of the same kind for another first day: what was "on Monday" is on that day of the week. */
export function ruleOnDate(rule: string, date: string): string {
  return rulesOf(date).find((each) => kindOf(each) === kindOf(rule)) ?? rule;
}

function kindOf(rule: string): string {
  return rule.replace(/=-?\d*[A-Z]{2}$/, '').replace(/MONTHDAY=\d+$/, 'MONTHDAY');
}
