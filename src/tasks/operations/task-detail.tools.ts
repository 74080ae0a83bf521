import * as z from 'zod';
import { listTaskAttachments, listTaskDownloads } from '../../files/attachments/attachments.ts';
import { fileRow, formatFileLine, toFileRow } from '../../files/attachments/file-row.ts';
import { readTextAttachment } from '../../files/attachments/text-files.ts';
import { isProvisionalId } from '../../kernel/operation/provisional-ids.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { buildToolLine, quoteLines, toLinePart } from '../../kernel/text/tool-text.ts';
import { defineTool, readOnlyHints, summaryOutput, textOffsetInput } from '../../kernel/tools/tool.ts';
import {
  type ListedPage,
  rejectOverriddenArguments,
  type ToolPageInput,
  toolPageFields,
  toolPageInput,
  trimPage,
} from '../../kernel/tools/tool-page.ts';
import { listActivities } from '../activities/activities.ts';
import { historyEntry, toActivityLine, toHistoryEntry } from '../activities/history-entry.ts';
import { toMarkdownLine } from '../checklists/change-checklist.ts';
import { getChecklist } from '../checklists/checklists.ts';
import { listComments } from '../comments/comments.ts';
import type { TaskFieldValue } from '../custom-fields/custom-fields.schema.ts';
import { fields } from '../field-values.ts';
import { taskDetail, taskIdInput } from '../model/tasks.schema.ts';
import { describeRecurrence } from '../recurrence/describe-recurrence.ts';
import type { recurrence } from '../recurrence/recurrence.schema.ts';
import { type Relation, relation } from '../relations/relations.schema.ts';
import { listRelations } from '../relations/relations.ts';
import { listSubtasks } from '../subtasks/subtasks.ts';
import { listTaskFields } from './task-fields.ts';
import { taskRow, toTaskLine, toTaskRow } from './task-row.ts';
import { getTask } from './tasks.ts';

const FILES_SHOWN_MAX = 10;
const COMMENTS_SHOWN_MAX = 10;
const SUBTASKS_SHOWN_MAX = 25;
const RELATIONS_SHOWN_MAX = 25;
const taskParts = ['comments', 'history', 'files'] as const;

const commentOutput = z.strictObject({
  id: z.int(),
  content: z.string(),
  author: summaryOutput,
  createdAt: z.string(),
  /** Set if an open change set would add the comment. */
  isPending: z.literal(true).optional(),
});
type Comment = z.output<typeof commentOutput>;

const detailOutput = z.strictObject({
  ...taskDetail.shape,
  comments: z.array(commentOutput),
  files: z.array(fileRow),
  filesTotal: z.int(),
  subtaskRows: z.array(taskRow),
  checklistLines: z.array(z.string()),
  relations: z.array(relation),
  relationsTotal: z.int(),
  fields: z.record(z.string(), z.string().nullable()),
});

export const getTaskTool = defineTool(
  {
    name: 'get_task',
    title: 'Get a task',
    description:
      'Get a task with its last 10 comments and 10 files. `part` pages through comments (oldest first), history or files (newest first). `fileId` reads 20 KB of a text file.',
    access: 'tasks:read',
    hints: readOnlyHints,
    input: taskIdInput.extend({
      part: z.enum(taskParts).optional(),
      fileId: integerId.optional(),
      links: z.literal(true).optional().meta({ description: 'Adds 15-minute download URLs.' }),
      ...toolPageInput,
      textOffset: textOffsetInput,
    }),
    output: z.strictObject({
      task: detailOutput.optional(),
      data: z.array(z.union([commentOutput, historyEntry, fileRow])).optional(),
      total: toolPageFields.total.optional(),
      nextCursor: toolPageFields.nextCursor.optional(),
      file: readTextAttachment.output.optional(),
    }),
    covers: { listComments: 'part comments', listTaskAttachments: 'part files' },
    lines: ({ task, data = [], file }) => [
      ...(task ? toTaskLines(task) : []),
      ...data.flatMap(toEntryLines),
      ...(file ? toTextLines(file) : []),
    ],
    // Leaves out the file's text, which can be up to 20 KB and is already in the lines of the result.
    structured: ({ file, ...rest }) => (file ? { ...rest, file: { ...file, text: undefined } } : rest),
  },
  async (ctx, { id, part, fileId, links, textOffset: skip, ...range }) => {
    const listFiles = async (page: ToolPageInput): Promise<ListedPage<z.output<typeof fileRow>>> => {
      const { data, meta, nextCursor } = links
        ? await ctx.list(listTaskDownloads, { id, ...page })
        : await ctx.list(listTaskAttachments, { id, ...page });
      return { data: data.map(toFileRow), meta, nextCursor };
    };
    if (fileId !== undefined) {
      rejectOverriddenArguments('fileId', { part, links, ...range });
      return { file: await ctx.run(readTextAttachment, { id, attachmentId: fileId }) };
    }
    if (part !== undefined && part !== 'files') rejectOverriddenArguments(`part ${part}`, { links });
    if (part !== undefined && part !== 'comments')
      rejectOverriddenArguments(`part ${part}`, { textOffset: skip });
    switch (part) {
      case 'comments':
        return trimPage(await ctx.list(listComments, { id, ...range }), markPending);
      case 'history':
        return trimPage(await ctx.list(listActivities, { id, ...range }), toHistoryEntry);
      case 'files':
        return trimPage(await listFiles(range), (each) => each);
    }
    rejectOverriddenArguments('the whole task', range);
    const [task, files, subtasks, checklist, relations, fields] = await Promise.all([
      ctx.run(getTask, {
        id,
        expand: ['detail', 'structure', 'assignees', 'recurrence'],
        descriptionFormat: 'markdown',
      }),
      listFiles({ limit: FILES_SHOWN_MAX }),
      ctx.run(listSubtasks, { id, limit: SUBTASKS_SHOWN_MAX, expand: ['assignees'] }),
      ctx.run(getChecklist, { id }),
      ctx.run(listRelations, { id, limit: RELATIONS_SHOWN_MAX }),
      ctx.run(listTaskFields, { id }),
    ]);
    return {
      task: {
        ...task,
        comments: task.comments.map(markPending),
        files: [...files.data],
        filesTotal: files.meta.total,
        subtaskRows: subtasks.data.map(toTaskRow),
        checklistLines: checklist.items.map(toMarkdownLine),
        relations: [...relations.data],
        relationsTotal: relations.meta.total,
        fields: toNamedValues(fields.data),
      },
    };
  },
);

function toNamedValues(fields: readonly TaskFieldValue[]) {
  return Object.fromEntries(fields.map(({ name, text }) => [name, text]));
}

function toTaskLines(task: z.output<typeof detailOutput>): string[] {
  const {
    files,
    comments,
    filesTotal,
    subtaskRows,
    subtasks = { total: 0, completed: 0 },
    checklistLines,
    relations,
    relationsTotal,
  } = task;
  return [
    toTaskLine(toTaskRow(task)),
    buildToolLine(
      `created ${task.createdAt} by ${task.createdBy.name}`,
      `updated ${task.updatedAt}`,
      ...fields.map(({ name, toolLine }) => toolLine && task[name] && toolLine(String(task[name]))),
      task.isBlocked && 'blocked',
      task.parent && `subtask of #${task.parent.id} ${task.parent.name}`,
      task.category && `category ${task.category.value}`,
      task.type && `type ${task.type.value}`,
      task.tags.length > 0 && `tags ${task.tags.join(', ')}`,
      task.recurrence && toRecurrenceText(task.recurrence),
    ),
    ...Object.entries(task.fields).flatMap(([name, text]) =>
      text === null ? [] : [buildToolLine(`${name}: ${text}`)],
    ),
    ...(task.description ? ['Description:', ...quoteLines(task.description)] : []),
    ...(subtasks.total > 0 ? [`Subtasks, ${subtasks.completed} of ${subtasks.total} completed:`] : []),
    ...subtaskRows.map(toTaskLine),
    ...(checklistLines.length > 0 ? ['Checklist:', ...checklistLines.map(toLinePart)] : []),
    ...relations.map(toRelationLine),
    ...(relations.length < relationsTotal ? [`${relations.length} of ${relationsTotal} relations.`] : []),
    ...(subtaskRows.length < subtasks.total ? ['To list all subtasks, use find_tasks with parent.'] : []),
    ...comments.flatMap(toCommentLines),
    ...files.map(formatFileLine),
    ...(comments.length < COMMENTS_SHOWN_MAX
      ? []
      : [
          `The comments above are the last ${COMMENTS_SHOWN_MAX}. To read all comments from the oldest, call again with part=comments.`,
        ]),
    ...(files.length < filesTotal
      ? [`${files.length} of ${filesTotal} files. To list all files, call again with part=files.`]
      : []),
  ];
}

function toRecurrenceText({ rule, nextId, ...others }: z.output<typeof recurrence>): string | null {
  if (rule !== null) return `repeats: ${describeRecurrence({ rule, ...others })} (${rule})`;
  return nextId === null ? null : `next occurrence: #${nextId}`;
}

function toRelationLine({ type, task }: Relation): string {
  return buildToolLine(`${type} #${task.id} ${task.name}`, task.isArchived ? 'archived' : task.status);
}

function toTextLines({
  id,
  fileName,
  fileSize,
  text,
  isWhole,
}: z.output<typeof readTextAttachment.output>): string[] {
  return [
    buildToolLine(`Text of file ${id}`, fileName, `${fileSize} bytes`),
    ...quoteLines(text),
    ...(isWhole ? [] : ['This is the first 20 KB. For a link to the whole file, call get_task with links.']),
  ];
}

function toEntryLines(each: Comment | z.output<typeof historyEntry> | z.output<typeof fileRow>): string[] {
  if ('content' in each) return toCommentLines(each);
  return ['fileName' in each ? formatFileLine(each) : toActivityLine(each)];
}

function markPending(comment: Comment): Comment {
  return isProvisionalId(comment.id) ? { ...comment, isPending: true } : comment;
}

function toCommentLines({ id, author, createdAt, content, isPending }: Comment): string[] {
  return [
    buildToolLine(`Comment ${id}`, String(author.name), createdAt, isPending === true && 'pending'),
    ...quoteLines(content),
  ];
}
