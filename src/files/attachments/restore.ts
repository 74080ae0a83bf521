import * as z from 'zod';
import { type Context, operation } from '../../kernel/operation/operation.ts';
import { done, doneAgain, integerId } from '../../kernel/operation/schema.ts';
import { findRemoval, removedRows, takeRemoval } from '../../kernel/removals/removals.queries.ts';
import { cannotUndoError } from '../../kernel/removals/undo-window.ts';
import { idOf } from '../../kernel/sql/expressions.queries.ts';
import { findTaskState } from '../../tasks/model/tasks.queries.ts';
import { requireUnarchived } from '../../tasks/write/edit-task.ts';
import { keepObjects } from '../objects/objects.queries.ts';
import { countVisible, type Target } from './attachments.queries.ts';
import { assertTarget, recordFileOf } from './attachments.write.ts';
import { countObjects, insertVersions } from './remove.queries.ts';
import { removalOf } from './remove.ts';
import { findStorage, useAgain } from './storage.queries.ts';
import { requireStorage, storageBytesMax } from './storage.ts';

const spec = {
  description:
    'Restores all versions. Only for the person who removed the file, within 10 minutes, and only if it still fits the storage limit.',
  access: 'session' as const,
  effect: 'write' as const,
  input: z.strictObject({ id: integerId, attachmentId: integerId }),
  output: done,
  repeat: doneAgain,
};

export const restoreTaskFile = operation(
  {
    ...spec,
    name: 'restoreTaskFile',
    summary: 'Restore a removed file of a task',
    capability: 'seeTasks',
  },
  (ctx, { id, attachmentId }) => restore(ctx, { task: id }, attachmentId),
);

export const restoreProjectFile = operation(
  {
    ...spec,
    name: 'restoreProjectFile',
    summary: 'Restore a removed file of a project',
    capability: 'seeProjects',
  },
  (ctx, { id, attachmentId }) => restore(ctx, { project: id }, attachmentId),
);

const versions = z.array(
  z.object({
    id: z.int(),
    task: z.int().nullable(),
    project: z.int().nullable(),
    file_name: z.string(),
    file_size: z.int(),
    object_key: z.string(),
  }),
);

async function restore(ctx: Context, target: Target, first: number) {
  const { caller, db, now } = ctx;
  const removal = removalOf(ctx, first);
  const task = 'task' in target ? target.task : null;
  const [removed, visible, state, storage, objects] = await db.batch([
    findRemoval(removal, now),
    countVisible(caller, target),
    findTaskState(caller, task ?? -1),
    findStorage(caller),
    countObjects(removedRows(removal, now)),
  ]);
  const files = versions.parse(JSON.parse(removed?.rows ?? '[]'));
  const isHere = files.every((file) =>
    'task' in target ? file.task === target.task : file.project === target.project,
  );
  const file = files.find(({ id }) => id === first);
  const isWhole = isHere && objects === files.length;
  if (!removed || !file || !isWhole || visible === 0) throw cannotUndoError('file');
  if (state) requireUnarchived(state);
  const size = files.reduce((sum, { file_size }) => sum + file_size, 0);
  requireStorage(caller, storage, size);
  await db.batch([
    assertTarget(ctx, target),
    ...takeRemoval(removal, now),
    ...keepObjects(files.map(({ object_key }) => object_key)),
    ...useAgain(caller, size, storageBytesMax(caller)),
    insertVersions(removed.rows),
    ...recordFileOf(ctx, target, { type: 'attachment.created', id: idOf(first), name: file.file_name }),
  ]);
  return { success: true as const };
}
