import { describe, expect, it } from 'vitest';
import { type taskListInput, taskSorts } from '../../../src/tasks/model/tasks.schema.ts';
import { api } from '../../support/api.ts';
import { addFieldsToProject, createField } from '../../support/custom-fields.ts';
import { createTask, createWorld } from '../../support/world.ts';

type Filter = Exclude<
  keyof typeof taskListInput.shape,
  'assigneeId' | 'sort' | 'customFields' | 'expand' | 'fields' | 'limit' | 'offset' | 'cursor' | 'page'
>;

/** Filtering by person finds second assignees in a separate table, which has copies of only some columns. */
describe('a task with a person as its second assignee', () => {
  it('is found when filtering by that person, with every other filter and in every order', async () => {
    const world = await createWorld();
    const { lead, member } = world.people;
    const project = world.projects.joined.id;
    const field = await createField(world, 'select', 'Size');
    await addFieldsToProject(world, project, [field]);
    const parent = await createTask(lead, project);
    const blocker = await createTask(lead, project);
    const { id } = await createTask(lead, project, {
      ...{ name: 'Shared work', priority: 'high', tags: ['web'], deadline: '2030-01-01' },
      ...{ parentId: parent.id, customFields: { [`cf_${field}`]: 2 } },
      assigneeIds: [lead.userId, member.userId],
    });
    const me = api(member.token);
    await api(lead.token).post(`/tasks/${id}/relations`, { type: 'blocked_by', taskId: blocker.id });
    const filters: Record<Filter, string> = {
      projectId: `projectId=${project}`,
      status: 'status=open',
      priority: 'priority=high',
      parentId: `parentId=${parent.id}`,
      isBlocked: 'isBlocked=true',
      dueFrom: 'dueFrom=2029-12-31',
      dueTo: 'dueTo=2030-01-02',
      createdFrom: 'createdFrom=2020-01-01',
      createdTo: 'createdTo=2100-01-01',
      tags: 'tags=web',
      tagsAll: 'tagsAll=web',
      updatedSince: 'updatedSince=2020-01-01T00:00:00Z',
      search: 'search=shared',
      isArchived: 'isArchived=false',
      ids: `ids=${id}`,
      scope: 'scope=all',
      mine: 'mine=true',
    };
    const queries = [...Object.values(filters), `cf_${field}=2`];
    for (const query of [...queries, queries.filter((each) => !/search|ids=/.test(each)).join('&')]) {
      for (const sort of taskSorts) {
        const { status, body } = await me.get(`/tasks?assigneeId=${member.userId}&${query}&sort=${sort}`);
        const found = body.data?.map((task: { id: number }) => task.id);
        expect([query, sort, status, found, body.meta?.total]).toEqual([query, sort, 200, [id], 1]);
      }
    }
    expect((await me.get(`/tasks?assigneeId=${member.userId}&isBlocked=false`)).body.meta.total).toBe(0);
  });
});
