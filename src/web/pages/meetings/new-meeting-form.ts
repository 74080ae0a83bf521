/** The name of the button that reloads the form to show the participants' availability. */
export const CHECK_AVAILABILITY_BUTTON = 'check';

export function parseMeetingForm(fields: URLSearchParams): Record<string, unknown> {
  const readText = (name: string) => fields.get(name)?.trim() || null;
  const [rule, until] = [readText('recurrence'), readText('until')];
  return {
    projectId: Number(fields.get('projectId')) || undefined,
    name: fields.get('name') ?? '',
    date: fields.get('date'),
    time: fields.get('time'),
    duration: { minutes: Number(fields.get('minutes')) },
    participantIds: fields.getAll('participantIds'),
    description: readText('description'),
    meetingLink: readText('meetingLink'),
    location: readText('location'),
    recurrence: rule && until ? `${rule};UNTIL=${until.replaceAll('-', '')}` : rule,
  };
}

/** These fields determine who can participate and who is busy. They are also parameters of the page. */
const availabilityFields = ['projectId', 'date', 'time', 'minutes'] as const;

export function buildNewMeetingPath(fields: URLSearchParams, base: string): string {
  const query = new URLSearchParams(availabilityFields.map((name) => [name, fields.get(name) ?? '']));
  return `${base}/meetings/new?${query}`;
}
