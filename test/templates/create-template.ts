import {
  TEMPLATE_RELATIONS_MAX,
  TEMPLATE_TASKS_MAX,
  type TemplateContent,
  type TemplateTask,
} from '../../src/templates/model/template-content.ts';
import { saveProjectTemplate, saveTaskTemplate } from '../../src/templates/operations/save-template.ts';
import { updateTemplate } from '../../src/templates/operations/templates.ts';
import { api } from '../support/api.ts';
import { getCell } from '../support/env.ts';
import { runForm } from '../support/forms.ts';
import { createTask, type Person, type World } from '../support/world.ts';

/**
 * Saves a task with a subtask as this person's template. If `isOfProject` is true, the template belongs to the project,
 * so that the project's clients can see it.
 */
export async function createTemplate(
  by: Person,
  project: number,
  { isOfProject = false }: { isOfProject?: boolean } = {},
): Promise<number> {
  const task = await createTask(by, project, { name: 'Before', deadline: '2030-01-01' });
  await api(by.token).post('/tasks', { projectId: project, name: 'Step', parentId: task.id });
  const { id } = (await runForm(by.token, saveTaskTemplate, { id: task.id })).body;
  if (isOfProject) await runForm(by.token, updateTemplate, { id, projectId: project });
  return id;
}

export async function createProjectTemplate({ people, projects }: World): Promise<number> {
  return (await runForm(people.owner.token, saveProjectTemplate, { id: projects.joined.id })).body.id;
}

/**
 * Creates a template with the maximum number of tasks and relations. Each subtask has a description, tags, dates and a
 * checklist.
 */
export async function createLargeTemplate({ people, projects, cell }: World): Promise<number> {
  const id = await createTemplate(people.owner, projects.joined.id);
  const db = getCell(cell);
  const stored = await db
    .prepare('SELECT content FROM templates WHERE id = ?')
    .bind(id)
    .first<string>('content');
  const content: TemplateContent = JSON.parse(stored ?? '');
  const [root, step] = content.tasks as [TemplateTask, TemplateTask];
  const steps = Array.from({ length: TEMPLATE_TASKS_MAX - 1 }, (_, index) => ({
    ...step,
    id: index + 2,
    name: `Step ${index} ${'of many '.repeat(10)}`,
    description: `<p>${'What to do. '.repeat(100)}</p>`,
    tags: '["one","two"]',
    start_day: index,
    due_day: index + 1,
    checklist: ['Begin', 'Check', 'End'],
  }));
  const relations = Array.from({ length: TEMPLATE_RELATIONS_MAX }, (_, index) => {
    const source = (index % (TEMPLATE_TASKS_MAX - 5)) + 2;
    return {
      type: 'blocks' as const,
      source,
      target: source + 1 + Math.floor(index / (TEMPLATE_TASKS_MAX - 5)),
    };
  });
  const large = { ...content, tasks: [root, ...steps], nextTask: TEMPLATE_TASKS_MAX + 1, relations };
  await db.prepare('UPDATE templates SET content = ? WHERE id = ?').bind(JSON.stringify(large), id).run();
  return id;
}
