import type * as z from 'zod';
import type { Caller } from '../../kernel/access/access.ts';
import { addDays } from '../../kernel/dates/civil-date.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import { parseRule } from '../../meetings/recurrence/rrule-text.ts';
import { createRuleDays } from '../../meetings/recurrence/rule-days.ts';
import { NO_DEADLINE } from '../../schema/cell/tasks.ts';
import type { FoundPerson, FoundProject } from '../../search/lookup/lookup.queries.ts';
import {
  describePersonMatchProblem,
  describeProjectMatchProblem,
  matchPeople,
  matchProjects,
} from '../../search/lookup/match-names.ts';
import { ASSIGNEES_MAX, NAME_CHARACTERS_MAX, TAG_CHARACTERS_MAX, TAGS_MAX, tagName } from '../fields.ts';
import { toLabelKey } from '../model/label-keys.ts';
import { type SeriesRule, startSeries } from '../recurrence/start-series.ts';
import type { ParsedDetail, ParsedText } from './parse-text.ts';
import type { ParentTask } from './quick-add.queries.ts';
import type { quickAddTask } from './quick-add.schema.ts';

const SELF_NAME = 'me';

type QuickAddTask = z.input<typeof quickAddTask>;

export interface QuickAddMatches {
  readonly people: readonly FoundPerson[];
  readonly similarPeople: readonly FoundPerson[];
  readonly projects: readonly FoundProject[];
  readonly similarProjects: readonly FoundProject[];
  /** The projects whose ids are in the text or in the request's `projectId`. */
  readonly numbered: readonly FoundProject[];
  readonly parents: readonly ParentTask[] | null;
  readonly labels: readonly { key: string; name: string }[] | null;
}

interface ResolveOptions {
  readonly caller: Pick<Caller, 'userId' | 'name' | 'plan' | 'timezone'>;
  readonly now: number;
  readonly clock: { readonly date: string; readonly time: string };
  /** The project to use if the text names neither a project nor a parent. */
  readonly chosen: number | undefined;
}

export function collectNamesToFind({ details }: ParsedText) {
  const listNames = (kind: 'person' | 'project' | 'tag') =>
    details.flatMap((detail) => (detail.kind === kind && 'name' in detail ? [detail.name] : []));
  return {
    people: listNames('person').slice(0, ASSIGNEES_MAX),
    projects: listNames('project').slice(0, 1),
    tags: [...new Set(listNames('tag').map(toLabelKey))].slice(0, TAGS_MAX),
    parents: details.flatMap((detail) => (detail.kind === 'parent' ? [detail.id] : [])).slice(0, 1),
  };
}

export function parseProjectNumber(name: string): number | null {
  return /^\d{1,15}$/.test(name) ? Number(name) : null;
}

/** `problems` lists every reason why the task can't be created as written. */
export function resolveQuickAddTask(
  parsed: ParsedText,
  found: QuickAddMatches,
  options: ResolveOptions,
): QuickAddTask {
  const { name, notes } = parsed;
  const details = new DetailReader(parsed.details);
  const { problems } = details;
  if (name.trim() === '') problems.push('Enter a task name before the first comma.');
  if (name.length > NAME_CHARACTERS_MAX) {
    problems.push(
      `A task name can have up to ${NAME_CHARACTERS_MAX} characters; this one has ${name.length}.`,
    );
  }
  problems.push(...details.list('unclear').map(({ problem }) => problem));
  return {
    name,
    assignees: resolveAssignees(details, found, options),
    ...resolveProjectAndParent(details, found, options),
    ...resolveSchedule(details, options),
    priority: details.findOnly('priority', 'priority')?.priority ?? null,
    tags: resolveTags(details, found),
    problems,
    notes: [...notes],
  };
}

type DetailOf<K extends ParsedDetail['kind']> = ParsedDetail & { kind: K };

class DetailReader {
  readonly problems: string[] = [];
  readonly #details: readonly ParsedDetail[];

  constructor(details: readonly ParsedDetail[]) {
    this.#details = details;
  }

  list<K extends ParsedDetail['kind']>(kind: K): DetailOf<K>[] {
    return this.#details.filter((detail): detail is DetailOf<K> => detail.kind === kind);
  }

  /** Reports a problem and returns undefined if the text states several values. */
  findOnly<K extends ParsedDetail['kind']>(kind: K, noun: string): DetailOf<K> | undefined {
    const all = this.list(kind);
    if (all.length > 1)
      this.problems.push(`Choose one ${noun}: ${all.map(({ phrase }) => phrase).join(' or ')}.`);
    return all.length === 1 ? all[0] : undefined;
  }

  pick<T>(fits: readonly T[], problem: string): T | null {
    if (fits.length === 1) return fits[0] as T;
    this.problems.push(problem);
    return null;
  }
}

function resolveAssignees(
  details: DetailReader,
  found: QuickAddMatches,
  { caller: { userId, name } }: ResolveOptions,
): QuickAddTask['assignees'] {
  const self = { id: userId, name };
  const people = details.list('person');
  if (people.length === 0) return [self];
  if (people.length > ASSIGNEES_MAX) details.problems.push(`Choose up to ${ASSIGNEES_MAX} people.`);
  const picked = people.slice(0, ASSIGNEES_MAX).map((person) => {
    if (person.name.toLowerCase() === SELF_NAME) return self;
    const fits = matchPeople(person.name, { same: found.people, similar: found.similarPeople });
    const match = details.pick(fits, describePersonMatchProblem(person.name, fits));
    return match && { id: match.id, name: match.name };
  });
  const known = picked.filter((person) => person !== null);
  const distinct = [...new Map(known.map((person) => [person.id, person])).values()];
  return known.length === people.length ? distinct : [];
}

function resolveProjectAndParent(
  details: DetailReader,
  found: QuickAddMatches,
  { chosen }: ResolveOptions,
): Pick<QuickAddTask, 'project' | 'parent'> {
  const named = details.findOnly('project', 'project');
  const under = details.findOnly('parent', 'parent task');
  const parent = under ? findParent(details, found, under.id) : null;
  const parentProject = parent && { id: parent.project, name: parent.project_name };
  if (!named) {
    const isNamed = details.list('project').length > 0;
    const byNumber = found.numbered.filter(({ id }) => id === chosen);
    const canChoose = !isNamed && !under;
    const project = canChoose
      ? details.pick(byNumber, 'Choose a project, or type # and its name or number.')
      : null;
    return { project: isNamed ? null : (parentProject ?? project), parent };
  }
  const number = parseProjectNumber(named.name);
  const byNumber = found.numbered.filter(({ id }) => id === number);
  const byName = matchProjects(named.name, { same: found.projects, similar: found.similarProjects });
  const fits = byNumber.length > 0 ? byNumber : byName;
  const project = details.pick(fits, describeProjectMatchProblem(named.name, fits));
  if (parent && project && parent.project !== project.id) {
    details.problems.push(
      `Task #${parent.id} is in ${parent.project_name}, so its subtasks can't be in ${project.name}.`,
    );
  }
  return { project, parent };
}

function findParent(details: DetailReader, { parents }: QuickAddMatches, id: number): ParentTask | null {
  const parent = details.pick(
    parents ?? [],
    `There is no task #${id} in your projects. Check the number, or leave out “under #${id}”.`,
  );
  if (parent?.archived !== 1) return parent;
  details.problems.push(`Task #${id} is archived. Restore it before you add a subtask.`);
  return null;
}

function resolveSchedule(
  details: DetailReader,
  { caller, now, clock }: ResolveOptions,
): Pick<QuickAddTask, 'deadline' | 'dueTime' | 'recurrence'> {
  const day = details.findOnly('day', 'day');
  const time = details.findOnly('time', 'time');
  const repeat = details.findOnly('repeat', 'repetition');
  const isTimePast = time !== undefined && time.time <= clock.time;
  const first = isTimePast ? addDays(clock.date, 1) : clock.date;
  const named = day?.date ?? null;
  const deadline = named ?? (repeat ? findFirstDay(repeat.recurrence, first) : null);
  const statesDay = ['day', 'repeat', 'unclear'].some((kind) => details.list(kind as 'day').length > 0);
  if (time && !statesDay) {
    details.problems.push(`A due time needs a day. Type one before the time, such as “today ${time.time}”.`);
  }
  if (repeat) requireRepeatable(details, repeat, { caller, now, deadline });
  return {
    deadline,
    dueTime: deadline === null ? null : (time?.time ?? null),
    recurrence: repeat?.recurrence ?? null,
  };
}

/** Ignores the interval, so that "every 2 weeks on friday" begins on the first Friday from `from` on. */
function findFirstDay({ rule }: SeriesRule, from: string): string | null {
  return createRuleDays({ ...parseRule(rule), interval: 1 }, from).next(from);
}

function requireRepeatable(
  { problems }: DetailReader,
  { phrase, recurrence }: DetailOf<'repeat'>,
  { caller, now, deadline }: Pick<ResolveOptions, 'caller' | 'now'> & { deadline: string | null },
) {
  if (caller.plan === 'free') {
    problems.push(`“${phrase}” requires the Medium or Pro plan, which includes recurring tasks.`);
    return;
  }
  try {
    startSeries(recurrence, deadline ?? NO_DEADLINE, { now, timezone: caller.timezone });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    problems.push(
      `“${phrase}” needs a first and a next date within 10 years of today. Change it, or the day.`,
    );
  }
}

function resolveTags(details: DetailReader, { labels }: QuickAddMatches): QuickAddTask['tags'] {
  const names = details.list('tag').map(({ name }) => name);
  const distinct = [...new Map(names.map((name) => [toLabelKey(name), name])).entries()];
  if (distinct.length > TAGS_MAX) details.problems.push(`Choose up to ${TAGS_MAX} tags.`);
  return distinct.slice(0, TAGS_MAX).flatMap(([key, name]): QuickAddTask['tags'] => {
    const known = labels?.find((label) => label.key === key);
    if (known) return [{ name: known.name, isNew: false }];
    if (tagName.safeParse(name).success) return [{ name, isNew: true }];
    details.problems.push(
      name.length > TAG_CHARACTERS_MAX
        ? `A tag can have up to ${TAG_CHARACTERS_MAX} characters; “${name}” has ${name.length}.`
        : `“${name}” can't be a tag, because it contains control characters.`,
    );
    return [];
  });
}
