const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

export function listRepeatRules(date: string): string[] {
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

/** Adapts a rule to another date. For example, "every Monday" becomes "every Tuesday". */
export function adaptRuleToDate(rule: string, date: string): string {
  return listRepeatRules(date).find((each) => getRuleKind(each) === getRuleKind(rule)) ?? rule;
}

function getRuleKind(rule: string): string {
  return rule.replace(/=-?\d*[A-Z]{2}$/, '').replace(/MONTHDAY=\d+$/, 'MONTHDAY');
}
