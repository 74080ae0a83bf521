import type { Change } from './changes.ts';

export interface Story {
  task?: { id: number; name: string };
  project?: string;
  last: string;
  /** `by` is null for automatic changes. */
  people: { by: string | null; did: string[] }[];
}

const verbs: Partial<Record<Change['type'], string>> = {
  'task.created': 'created',
  'task.duplicated': 'created as a copy',
  'task.archived': 'archived',
  'task.unarchived': 'restored',
  'task.moved': 'moved to another project',
  'task.deleted': 'deleted',
  'task.restored': 'restored from the trash',
  'comment.created': 'commented',
  'comment.updated': 'changed a comment',
  'comment.deleted': 'deleted a comment',
  'reaction.added': 'reacted to a comment',
  'reaction.removed': 'removed a reaction',
  'attachment.created': 'attached a file',
  'attachment.deleted': 'removed a file',
  'time_entry.started': 'started the timer',
  'time_entry.stopped': 'stopped the timer',
  'time_entry.created': 'logged time',
};

/** Expects `changes` newest first, and returns the newest story first. */
export function groupIntoStories(changes: readonly Change[]): Story[] {
  const groups = Map.groupBy(changes.filter(isPreferredRecord), ({ task, project, type }) =>
    task ? `task ${task.id}` : `${type.slice(0, type.indexOf('.'))} ${project?.id}`,
  );
  return [...groups.values()].map((group) => {
    const [newest] = group as [Change];
    const byPerson = Map.groupBy(group, ({ actor }) => actor?.id);
    return {
      ...(newest.task && { task: newest.task }),
      ...(newest.project && { project: newest.project.name }),
      last: newest.occurredAt,
      people: [...byPerson.values()].map((own) => ({
        by: own[0]?.actor?.name ?? null,
        did: describeActions(own),
      })),
    };
  });
}

/** A move is recorded in both projects. Keeps only the record in the new project if the reader can see that project. */
function isPreferredRecord({ type, project, changes }: Change): boolean {
  const to = changes.project?.to as { id: number | null } | undefined;
  return type !== 'task.moved' || to?.id == null || to.id === project?.id;
}

function describeActions(newestFirst: readonly Change[]): string[] {
  const counted = new Map<string, number>();
  const fields = new Map<string, { from: unknown; to: unknown } | null>();
  for (const { type, changes } of newestFirst.toReversed()) {
    const verb =
      verbs[type] ?? (type.endsWith('.updated') ? null : type.replace('.', ' ').replaceAll('_', ' '));
    if (verb !== null) {
      counted.set(verb, (counted.get(verb) ?? 0) + 1);
      continue;
    }
    for (const [field, change] of Object.entries(changes)) {
      const earlier = fields.get(field);
      fields.set(field, change && { from: earlier ? earlier.from : change.from, to: change.to });
    }
  }
  return [
    ...[...counted].map(([verb, count]) => (count > 1 ? `${verb} ×${count}` : verb)),
    ...[...fields].map(([field, change]) =>
      change ? `${field} ${formatChangedValue(change.from)} → ${formatChangedValue(change.to)}` : field,
    ),
  ];
}

function formatChangedValue(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
