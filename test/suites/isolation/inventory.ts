import { api } from '../../support/api.ts';
import { addPerson, createProject, createTask, createTeam, type Person } from '../../support/world.ts';
import type { Relation } from './oracle.ts';
import { type Cast, DAY, isSecondAssignee, type Place, SECRET, type Stage } from './world.ts';

/** A task, and its relation to each actor. */
export interface Item {
  readonly project: number;
  readonly task: number;
  /** A comment on the task, if there is one. */
  readonly comment?: number;
  readonly isArchived: boolean;
  /** Whether the assignee is in one of the lead's teams. */
  readonly isOfTeam: boolean;
  readonly assignee: string | null;
  readonly secondAssignee?: string | null;
  relationOf(cast: Cast): Relation;
}

export interface Inventory {
  readonly items: readonly Item[];
  /** All people of the workspace, and the people in the lead's teams. */
  readonly people: readonly Person[];
  readonly teamMates: readonly Person[];
  readonly teams: readonly number[];
}

/** Collects all tasks of the workspace, and adds archived tasks and tasks of people in the lead's teams. */
export async function takeInventory(stage: Stage): Promise<Inventory> {
  const { home, host, cast } = stage;
  const lead = cast.find(({ actor }) => actor.role === 'lead')?.person as Person;
  const mate = await addPerson(home, 'mate', 'member');
  const subMate = await addPerson(home, 'submate', 'client');
  const bystander = await addPerson(home, 'bystander', 'member');
  const team = await createTeam(home, { members: [lead, mate], name: `${SECRET} team` });
  const subTeam = await createTeam(home, { members: [subMate], parent: team, name: `${SECRET} sub-team` });

  const items = [stage.ground, ...cast.flatMap((each) => each.places)].flatMap((place) =>
    listItemsOfPlace(place, stage, cast.find((each) => each.places.includes(place)) ?? null),
  );
  const project = await createProject(home, { owner: host, name: `${SECRET} project` });
  for (const person of [mate, subMate, bystander]) {
    const fields = { name: `${SECRET} task`, deadline: DAY, assigneeId: person.userId };
    const task = await createTask(host, project.id, fields);
    items.push({
      project: project.id,
      task: task.id,
      isArchived: false,
      isOfTeam: person !== bystander,
      assignee: person.userId,
      relationOf: () => 'none',
    });
  }
  for (const item of items.filter((each) => each.comment !== undefined)) {
    const task = await createTask(host, item.project, { name: `${SECRET} old`, deadline: DAY });
    await api(host.token).post(`/tasks/${task.id}/archive`);
    const relationOf = (one: Cast) => {
      const relation = item.relationOf(one);
      return relation === 'owned' || relation === 'joined' ? relation : 'none';
    };
    const { comment: _comment, secondAssignee: _second, ...place } = item;
    items.push({ ...place, task: task.id, isArchived: true, assignee: null, relationOf });
  }
  return {
    items,
    people: [host, mate, subMate, bystander, ...cast.map((each) => each.person)],
    teamMates: [mate, subMate],
    teams: [team, subTeam],
  };
}

function listItemsOfPlace(place: Place, { host }: Stage, holder: Cast | null): Item[] {
  const { project, task, comment, relation, meetingTask } = place;
  const isHeld = relation === 'owned' || relation === 'joined';
  const attends = relation === 'creator' ? 'assignee' : isHeld ? relation : 'none';
  const common = { project, isArchived: false, isOfTeam: false };
  const byHolder = (found: Relation) => (cast: Cast) => (cast === holder ? found : 'none');
  const holderId = holder?.person.userId ?? null;
  const isShared = holder !== null && isSecondAssignee(relation, holder.person);
  return [
    {
      ...common,
      task,
      comment,
      assignee: relation === 'assignee' ? holderId : isShared ? host.userId : null,
      secondAssignee: isShared ? holderId : null,
      relationOf: byHolder(relation),
    },
    {
      ...common,
      task: meetingTask,
      assignee: relation === 'creator' ? holderId : host.userId,
      relationOf: byHolder(attends),
    },
  ];
}
