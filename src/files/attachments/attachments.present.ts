import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import type { AttachmentRow } from './attachments.queries.ts';
import type { Attachment } from './attachments.schema.ts';

export function buildFileUrl({ origin }: Pick<RequestScope, 'origin'>, s3Key: string): string {
  return `${origin}/files/${s3Key}`;
}

export function toAttachment(scope: Pick<RequestScope, 'origin'>, row: AttachmentRow): Attachment {
  return {
    id: row.id,
    fileName: row.file_name,
    fileType: row.file_type,
    fileSize: row.file_size,
    fileUrl: buildFileUrl(scope, row.s3_key),
    version: row.version,
    parentId: row.parent,
    uploadedBy: { id: row.uploader_id, name: row.uploader_name, email: row.uploader_email },
    createdAt: toTimestamp(row.created_at),
  };
}
