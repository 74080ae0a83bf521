import { api } from '../../support/api.ts';
import { addPerson, createProject, createTask, createTeam, type Person } from '../../support/world.ts';
import type { Relation } from './oracle.ts';
import {
  type Caller,
  DEADLINE,
  type IsolationWorld,
  isSecondAssignee,
  type ObjectSet,
  SECRET_WORD,
} from './world.ts';

export interface InventoryItem {
  readonly project: number;
  readonly task: number;
  readonly comment?: number;
  readonly isArchived: boolean;
  /** Whether the assignee is in one of the lead's teams. */
  readonly isOfTeam: boolean;
  readonly assignee: string | null;
  readonly secondAssignee?: string | null;
  getRelation(caller: Caller): Relation;
}

export interface Inventory {
  readonly items: readonly InventoryItem[];
  /** Everyone in the workspace. `teamMates` contains the other people in the lead's team and its subteam. */
  readonly people: readonly Person[];
  readonly teamMates: readonly Person[];
  readonly teams: readonly number[];
}

/** Adds archived tasks, and tasks of people in and outside the lead's teams. Then lists all tasks, people and teams. */
export async function takeInventory(world: IsolationWorld): Promise<Inventory> {
  const { home, host, callers } = world;
  const lead = callers.find(({ actor }) => actor.role === 'lead')?.person as Person;
  const mate = await addPerson(home, 'mate', 'member');
  const subMate = await addPerson(home, 'submate', 'client');
  const bystander = await addPerson(home, 'bystander', 'member');
  const team = await createTeam(home, { members: [lead, mate], name: `${SECRET_WORD} team` });
  const subTeam = await createTeam(home, {
    members: [subMate],
    parent: team,
    name: `${SECRET_WORD} sub-team`,
  });

  const items = [world.hostObjects, ...callers.flatMap((each) => each.objectSets)].flatMap((objects) =>
    listItems(objects, world, callers.find((each) => each.objectSets.includes(objects)) ?? null),
  );
  const project = await createProject(home, { owner: host, name: `${SECRET_WORD} project` });
  for (const person of [mate, subMate, bystander]) {
    const fields = { name: `${SECRET_WORD} task`, deadline: DEADLINE, assigneeId: person.userId };
    const task = await createTask(host, project.id, fields);
    items.push({
      project: project.id,
      task: task.id,
      isArchived: false,
      isOfTeam: person !== bystander,
      assignee: person.userId,
      getRelation: () => 'none',
    });
  }
  for (const item of items.filter((each) => each.comment !== undefined)) {
    const task = await createTask(host, item.project, { name: `${SECRET_WORD} old`, deadline: DEADLINE });
    await api(host.token).post(`/tasks/${task.id}/archive`);
    const getRelation = (one: Caller) => {
      const relation = item.getRelation(one);
      return relation === 'owned' || relation === 'joined' ? relation : 'none';
    };
    const { comment: _comment, secondAssignee: _second, ...rest } = item;
    items.push({ ...rest, task: task.id, isArchived: true, assignee: null, getRelation });
  }
  return {
    items,
    people: [host, mate, subMate, bystander, ...callers.map((each) => each.person)],
    teamMates: [mate, subMate],
    teams: [team, subTeam],
  };
}

function listItems(objects: ObjectSet, { host }: IsolationWorld, holder: Caller | null): InventoryItem[] {
  const { project, task, comment, relation, meetingTask } = objects;
  const isHeld = relation === 'owned' || relation === 'joined';
  const attends = relation === 'creator' ? 'assignee' : isHeld ? relation : 'none';
  const common = { project, isArchived: false, isOfTeam: false };
  const createGetRelation = (found: Relation) => (caller: Caller) => (caller === holder ? found : 'none');
  const holderId = holder?.person.userId ?? null;
  const isShared = holder !== null && isSecondAssignee(relation, holder.person);
  return [
    {
      ...common,
      task,
      comment,
      assignee: relation === 'assignee' ? holderId : isShared ? host.userId : null,
      secondAssignee: isShared ? holderId : null,
      getRelation: createGetRelation(relation),
    },
    {
      ...common,
      task: meetingTask,
      assignee: relation === 'creator' ? holderId : host.userId,
      getRelation: createGetRelation(attends),
    },
  ];
}
