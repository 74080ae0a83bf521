import * as z from 'zod';
import { buildToolLine } from '../../kernel/text/tool-text.ts';
import { pickFields } from '../../kernel/tools/tool.ts';
import type { attachment, attachmentWithLink } from './attachments.schema.ts';

export const fileRow = z.strictObject({
  id: z.int(),
  fileName: z.string(),
  fileType: z.string(),
  fileSize: z.int(),
  version: z.int(),
  uploadedBy: z.string(),
  createdAt: z.string(),
  url: z.string().optional(),
});

export function toFileRow(each: z.output<typeof attachment> | z.output<typeof attachmentWithLink>) {
  return {
    ...pickFields(each, 'id', 'fileName', 'fileType', 'fileSize', 'version', 'createdAt'),
    ...('url' in each && { url: each.url }),
    uploadedBy: each.uploadedBy.name,
  };
}

export function formatFileLine(each: z.output<typeof fileRow>): string {
  const details = buildToolLine(
    `File ${each.id}`,
    each.fileName,
    each.fileType,
    `${each.fileSize} bytes`,
    each.version > 1 && `version ${each.version}`,
    each.uploadedBy,
    each.createdAt,
  );
  return each.url === undefined ? details : `${details} | ${each.url}`;
}
