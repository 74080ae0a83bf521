import type * as z from 'zod';
import type { Caller } from '../../kernel/access/access.ts';
import type { FoundPerson, FoundProject } from '../../search/lookup/lookup.queries.ts';
import {
  describePersonMatchProblem,
  describeProjectMatchProblem,
  matchPeople,
  matchProjects,
} from '../../search/lookup/match-names.ts';
import { ASSIGNEES_MAX, NAME_CHARACTERS_MAX } from '../fields.ts';
import type { ParsedDetail, ParsedText } from './parse-text.ts';
import type { quickAddTask } from './quick-add.schema.ts';

const SELF_NAME = 'me';

export interface QuickAddMatches {
  readonly people: readonly FoundPerson[];
  readonly similarPeople: readonly FoundPerson[];
  readonly projects: readonly FoundProject[];
  readonly similarProjects: readonly FoundProject[];
  /** The projects whose ids are in the text or in the request's `projectId`. */
  readonly numbered: readonly FoundProject[];
}

export function collectNamesToFind({ details }: ParsedText) {
  const listNames = (kind: 'person' | 'project') =>
    details.flatMap((detail) => (detail.kind === kind && 'name' in detail ? [detail.name] : []));
  return { people: listNames('person').slice(0, ASSIGNEES_MAX), projects: listNames('project').slice(0, 1) };
}

export function parseProjectNumber(name: string): number | null {
  return /^\d{1,15}$/.test(name) ? Number(name) : null;
}

/** Reports a problem for each name without exactly one match. If the text names no project, uses project `chosen`. */
export function resolveQuickAddTask(
  { name, details }: ParsedText,
  found: QuickAddMatches,
  { userId, ...caller }: Pick<Caller, 'userId' | 'name'>,
  chosen: number | undefined,
): z.input<typeof quickAddTask> {
  const problems: string[] = [];
  const findOnly = <K extends ParsedDetail['kind']>(kind: K, noun: string) => {
    const all = details.filter((detail): detail is ParsedDetail & { kind: K } => detail.kind === kind);
    if (all.length > 1) problems.push(`Choose one ${noun}: ${all.map(({ phrase }) => phrase).join(' or ')}.`);
    return all.length === 1 ? all[0] : undefined;
  };
  const people = details.filter(
    (detail): detail is ParsedDetail & { kind: 'person' } => detail.kind === 'person',
  );
  if (people.length > ASSIGNEES_MAX) problems.push(`Choose up to ${ASSIGNEES_MAX} people.`);
  const project = findOnly('project', 'project');
  const [day, priority] = [findOnly('day', 'day'), findOnly('priority', 'priority')];
  if (name.trim() === '') problems.push('Enter a task name before the first comma.');
  if (name.length > NAME_CHARACTERS_MAX) {
    problems.push(
      `A task name can have up to ${NAME_CHARACTERS_MAX} characters; this one has ${name.length}.`,
    );
  }
  const pick = <T>(fits: readonly T[], problem: string): T | null => {
    if (fits.length === 1) return fits[0] as T;
    problems.push(problem);
    return null;
  };
  const self = { id: userId, ...caller };
  const findAssignee = (personName: string) => {
    if (personName.toLowerCase() === SELF_NAME) return self;
    const fits = matchPeople(personName, { same: found.people, similar: found.similarPeople });
    const picked = pick(fits, describePersonMatchProblem(personName, fits));
    return picked && { id: picked.id, name: picked.name };
  };
  const findAssignees = () => {
    if (people.length === 0) return [self];
    const picked = people.slice(0, ASSIGNEES_MAX).map((person) => findAssignee(person.name));
    const known = picked.filter((person) => person !== null);
    const distinct = [...new Map(known.map((person) => [person.id, person])).values()];
    return known.length === people.length ? distinct : [];
  };
  const findProject = () => {
    const hasProject = details.some(({ kind }) => kind === 'project');
    const number = project ? parseProjectNumber(project.name) : (chosen ?? null);
    const byNumber = found.numbered.filter(({ id }) => id === number);
    if (!project) {
      return hasProject ? null : pick(byNumber, 'Choose a project, or type # and its name or number.');
    }
    const byName = matchProjects(project.name, { same: found.projects, similar: found.similarProjects });
    const fits = byNumber.length > 0 ? byNumber : byName;
    return pick(fits, describeProjectMatchProblem(project.name, fits));
  };
  return {
    name,
    assignees: findAssignees(),
    project: findProject(),
    deadline: day?.date ?? null,
    priority: priority?.priority ?? null,
    problems,
  };
}
