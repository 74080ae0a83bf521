import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { descriptionFormatInput } from '../../kernel/rich-text/description-format.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import { indexWaitingTextsAfterResponse } from '../../search/index/index-waiting-texts.ts';
import { assertValidParents } from '../hierarchy/hierarchy.queries.ts';
import {
  assertTreeMembersUnchanged,
  listTreeMembers,
  type TreeMember,
} from '../hierarchy/tree-members.queries.ts';
import { selectOneTask } from '../model/selection.queries.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { assertTasksUnchanged, findTaskState, type TaskState } from '../model/tasks.queries.ts';
import { taskDetail, taskIdInput } from '../model/tasks.schema.ts';
import { readTaskDetail, readTaskVersion } from '../operations/tasks.ts';
import { projectNotFoundError } from '../visibility/project-visibility.policy.ts';
import { requireUnarchived } from '../write/edit-task.ts';
import { updateCommentsAfterResponse } from '../write/outdated-comments.ts';
import { buildTree, moveTree } from '../write/relocate.ts';
import { assertTargetProjectVisible, findTargetProject } from './moving.queries.ts';

export const moveTask = defineOperation(
  {
    name: 'moveTask',
    summary: 'Move a task and all its subtasks to another project',
    description:
      "Anyone who can see the task and the project can move it. Comments, files, time and history move with the task. The task loses its parent, and followers who can't see the project stop following it. Moving a task to its current project changes nothing.",
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: taskIdInput.extend({
      projectId: integerId.meta({ description: 'The new project.', example: 7 }),
      descriptionFormat: descriptionFormatInput,
    }),
    output: taskDetail,
    returnsVersion: true,
    precondition: readTaskVersion,
  },
  async (ctx, { id, projectId }) => {
    const { caller, db } = ctx;
    const [task, target, members] = await db.batch([
      findTaskState(caller, id),
      findTargetProject(caller, projectId),
      listTreeMembers(caller, id),
    ]);
    if (!task) throw taskNotFoundError(id);
    if (!target) throw projectNotFoundError(projectId, 'projectId');
    requireUnarchived(task);
    if (task.project === projectId) return readTaskDetail(ctx, id);
    return moveToProject(ctx, { task, members, project: projectId, parent: null });
  },
);

export interface PlannedMove {
  task: TaskState;
  members: readonly TreeMember[];
  project: number;
  parent: number | null;
}

async function moveToProject(ctx: Context, move: PlannedMove) {
  const writes = planMove(ctx, move);
  const detail = await readTaskDetail(ctx, move.task.id, writes);
  startMoveFollowUps(ctx, move, writes);
  return detail;
}

export function planMove(ctx: Context, { task, members, project, parent }: PlannedMove) {
  const { caller } = ctx;
  return [
    assertTasksUnchanged(caller, [task]),
    assertTargetProjectVisible(caller, project),
    assertTreeMembersUnchanged(task.id, members),
    ...moveTree(ctx, buildTree(task.id, members), { from: task, to: { project, parent } }),
    ...(parent === null ? [] : [assertValidParents(caller, selectOneTask(task.id))]),
  ];
}

export function startMoveFollowUps(ctx: Context, { members }: PlannedMove, writes: Statement<void>[]) {
  indexWaitingTextsAfterResponse(ctx, writes);
  updateCommentsAfterResponse(ctx, members);
}
