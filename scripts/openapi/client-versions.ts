import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installTools } from '../foreign-tools.ts';
import { type ClientCheckResult, run } from './generators.ts';

const versions = ['5.9.3', '6.0.3', '7.0.2'];

/** The types that each environment provides: browsers have the DOM, and Node has its own types. */
const environments = {
  'a browser': { lib: ['es2023', 'dom'], types: [] },
  Node: { lib: ['es2023'], types: ['node'] },
};

/** Each line after `@ts-expect-error` contains a mistake that the types must reject. */
const program = `import { createClient, EdgeworkError, verifyWebhook, type Comment, type EdgeworkClient, type Task } from './client.js';

export async function use(baseUrl: string, token: string, file: Blob): Promise<unknown> {
  const client: EdgeworkClient = createClient({ baseUrl, token });
  const task = await client.createTask({ projectId: 1, name: 'Typed', deadline: null, priority: undefined });
  const deadline: string | null = task.deadline;
  const page = await client.listTasks();
  const first: Task | undefined = page.data[0];
  const total: number = page.meta.total;
  const short = await client.getTask({ id: task.id, fields: ['id', 'status'], expand: [] });
  const status: 'todo' | 'in_progress' | 'internal_review' | 'client_review' | 'completed' = short.status;
  const names: string[] = [];
  for await (const each of client.listTasks.all({ status: ['open'], fields: ['name'] })) names.push(each.name);
  const comments: Comment[] = [];
  for await (const each of client.listComments.all({ id: task.id })) comments.push(each);
  const timer = await client.getCurrentTimer({ fields: ['id'] });
  const timerId: number | undefined = timer?.id;
  for await (const event of client.followEvents({ after: 0, types: ['task.*'] }, { signal: AbortSignal.timeout(1) }))
    names.push(event.type);
  const { id } = await client.uploadFile({ taskId: task.id, file, fileName: 'a.txt' });
  const message = await verifyWebhook('whsec_AAAA', new Headers(), '{}');
  if ('events' in message) names.push(...message.events.map(({ type }) => type));
  const failure: unknown = await client.deleteTask({ id }).catch((error: unknown) => error);
  if (failure instanceof EdgeworkError && failure.code === 'not_found') names.push(failure.requestId ?? '');
  // @ts-expect-error: the name is misspelled.
  await client.listTasks({ stauts: ['open'] });
  // @ts-expect-error: there is no such status.
  await client.listTasks({ status: ['opne'] });
  // @ts-expect-error: the project is required.
  await client.createTask({ name: 'Typed' });
  // @ts-expect-error: the id is required.
  await client.getTask();
  // @ts-expect-error: there is no such field.
  await client.getTask({ id: 1, fields: ['nmae'] });
  // @ts-expect-error: only lists with pages have this.
  client.getTask.all({ id: 1 });
  // @ts-expect-error: the name was not requested.
  const missing: string = short.name;
  return [deadline, first, total, status, timerId, missing];
}
`;

/** `types` is the text of `/client.d.ts`. */
export async function compileServedClient(folder: string, types: string): Promise<ClientCheckResult[]> {
  const own = join(folder, 'own-client');
  mkdirSync(own);
  writeFileSync(join(own, 'client.d.ts'), types);
  writeFileSync(join(own, 'program.ts'), program);
  const results: ClientCheckResult[] = [];
  for (const version of versions) {
    const compiler = join(installTools(`typescript-${version}`, { typescript: version }), 'tsc');
    for (const [environment, provided] of Object.entries(environments)) {
      const config = join(own, `tsconfig.${version}.json`);
      const compilerOptions = {
        strict: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        target: 'es2023',
        module: 'nodenext',
        ...provided,
      };
      writeFileSync(config, JSON.stringify({ compilerOptions, files: ['program.ts'] }));
      const { isFine, output } = await run(compiler, ['-p', config, '--pretty', 'false'], own);
      results.push({
        name: `TypeScript ${version} compiles /client.d.ts for ${environment}`,
        problems: isFine ? [] : [output],
      });
    }
  }
  return results;
}
