/** The name of the button that shows the form again with the other meetings of the chosen day. */
export const CHECK = 'check';

/** The input of the new meeting from its form. */
export function meetingInput(fields: URLSearchParams): Record<string, unknown> {
  const text = (name: string) => fields.get(name)?.trim() || null;
  const [rule, until] = [text('recurrence'), text('until')];
  return {
    projectId: Number(fields.get('projectId')) || undefined,
    name: fields.get('name') ?? '',
    date: fields.get('date'),
    time: fields.get('time'),
    duration: { minutes: Number(fields.get('minutes')) },
    participantIds: fields.getAll('participantIds'),
    description: text('description'),
    meetingLink: text('meetingLink'),
    location: text('location'),
    recurrence: rule && until ? `${rule};UNTIL=${until.replaceAll('-', '')}` : rule,
  };
}

/** What decides who can take part and what they do at that time: names of the form and of its page. */
const asked = ['projectId', 'date', 'time', 'minutes'] as const;

/** The page that shows the form with the people of its project and what they do on its day. */
export function newMeetingAddress(fields: URLSearchParams, base: string): string {
  const query = new URLSearchParams(asked.map((name) => [name, fields.get(name) ?? '']));
  return `${base}/meetings/new?${query}`;
}
