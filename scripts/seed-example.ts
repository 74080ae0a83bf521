// Creates the task that the API reference uses as its example: task 1, with the first checklist, comment and
// notification.
import { addChecklistLine } from '../src/tasks/checklists/checklists.ts';
import { addComment } from '../src/tasks/comments/comments.ts';
import { createTask } from '../src/tasks/operations/tasks.ts';
import type { DemoWorkspace, Event, SeedTools } from './seed-working-day.ts';

const HOUR_MS = 3_600_000;
const DAYS_AGO = 80;

const checklist = [
  { text: 'Choose the hero image', isDone: true },
  { text: 'Write three benefits' },
  { text: 'Test the form' },
];

export function buildExampleTaskEvents(
  { callers }: Pick<DemoWorkspace, 'callers'>,
  { runOperation, toWeekday }: SeedTools,
): Event[] {
  const [owner, lead] = [callers.get('owner'), callers.get('lead')];
  if (!owner || !lead) return [];
  const id = 1;
  const task = {
    projectId: 1,
    name: 'Draft the launch page',
    description: '<p>Hero, three benefits, one form.</p>',
    status: 'in_progress',
    priority: 'high',
    assigneeId: owner.userId,
    deadline: toWeekday(10),
  };
  const steps: Event['run'][] = [
    (at) => runOperation(lead, createTask, task, at),
    ...checklist.map((line) => (at: number) => runOperation(owner, addChecklistLine, { id, ...line }, at)),
    (at) => runOperation(owner, addComment, { id, content: 'The second draft is in the shared folder.' }, at),
  ];
  const start = Date.parse(toWeekday(-DAYS_AGO)) + 9 * HOUR_MS;
  return steps.map((run, step) => ({ at: start + step * HOUR_MS, run }));
}
