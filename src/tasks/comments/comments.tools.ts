import * as z from 'zod';
import { fileName } from '../../files/attachments/attachments.schema.ts';
import { confirmAttachment } from '../../files/attachments/confirm.ts';
import { presignAttachment } from '../../files/attachments/presign.ts';
import { TEXT_CHARACTERS_MAX, uploadText } from '../../files/attachments/text-files.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { formatCount } from '../../kernel/text/number-format.ts';
import { buildToolLine } from '../../kernel/text/tool-text.ts';
import {
  additiveHints,
  defineTool,
  pickFields,
  retryKeyInput,
  summaryOutput,
  type ToolContext,
} from '../../kernel/tools/tool.ts';
import { rejectOverriddenArguments } from '../../kernel/tools/tool-page.ts';
import { addComments } from './add-comments.ts';
import { commentContent } from './comments.schema.ts';
import { addComment } from './comments.ts';

const fileInput = z.strictObject({
  fileName: fileName.meta({ description: undefined }),
  text: z.string().min(1).max(TEXT_CHARACTERS_MAX),
});

const contentTypeByExtension: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  md: 'text/markdown',
  html: 'text/html',
};

export const addCommentTool = defineTool(
  {
    name: 'add_comment',
    title: 'Comment on tasks or attach a text file',
    description:
      'Send `content` (up to 50 tasks, all or none) or a file. Notifies followers. @[user id] mentions a person.',
    access: 'tasks:write',
    hints: additiveHints,
    input: z.strictObject({
      taskId: integerId.optional(),
      taskIds: addComments.input.shape.ids.optional(),
      content: commentContent.optional().meta({ description: undefined }),
      replyTo: integerId.optional(),
      file: fileInput.optional().meta({ description: undefined }),
      ...retryKeyInput,
    }),
    fields: { id: 'taskId', ids: 'taskIds', parentId: 'replyTo', fileSize: 'text' },
    output: z.strictObject({
      comment: z.strictObject({ id: z.int(), author: summaryOutput, createdAt: z.string() }).optional(),
      comments: addComments.output.shape.comments.optional(),
      file: z.strictObject({ id: z.int(), fileName: z.string(), fileSize: z.int() }).optional(),
    }),
    lines: ({ comment, comments = [], file: attached }) => [
      ...(comment
        ? [buildToolLine(`Comment ${comment.id} added`, String(comment.author.name), comment.createdAt)]
        : []),
      ...(comments.length > 0
        ? [
            `${formatCount(comments.length, 'comment')} added: ${comments.map(({ id, taskId }) => `${id} on #${taskId}`).join(', ')}`,
          ]
        : []),
      ...(attached
        ? [buildToolLine(`File ${attached.id} attached`, attached.fileName, `${attached.fileSize} bytes`)]
        : []),
    ],
  },
  async (ctx, { taskId: id, taskIds: ids, content, replyTo: parentId, file: text, idempotencyKey: key }) => {
    // Attaching a file and commenting in one call would exceed the limit on statements per request.
    if ((content === undefined) === (text === undefined))
      throw invalidRequestError('Send either content or file.');
    if (ids) {
      rejectOverriddenArguments('taskIds', { taskId: id, file: text, replyTo: parentId });
      return ctx.run(addComments, { ids, content: content as string }, key);
    }
    if (id === undefined) throw invalidRequestError('Send either taskId or taskIds.');
    if (text) {
      rejectOverriddenArguments('file', { replyTo: parentId });
      return { file: pickFields(await attachTextFile(ctx, id, text, key), 'id', 'fileName', 'fileSize') };
    }
    const comment = await ctx.run(addComment, { id, content: content as string, parentId }, key);
    return { comment: pickFields(comment, 'id', 'author', 'createdAt') };
  },
);

async function attachTextFile(
  ctx: ToolContext,
  id: number,
  { fileName, text }: z.output<typeof fileInput>,
  key?: string,
) {
  const fileType = contentTypeByExtension[fileName.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'text/plain';
  const fileSize = new TextEncoder().encode(text).length;
  const declared = { id, fileName, fileType, fileSize };
  const { s3Key } = await ctx.run(presignAttachment, declared, key && `${key} presign`);
  await ctx.run(uploadText, { s3Key, text });
  return ctx.run(confirmAttachment, { id, s3Key }, key && `${key} confirm`);
}
