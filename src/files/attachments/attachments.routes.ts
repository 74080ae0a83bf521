import { ALREADY_DONE_NOTE, defineRoute } from '../../kernel/http/route.ts';
import {
  downloadProjectAttachment,
  downloadTaskAttachment,
  listProjectAttachments,
  listTaskAttachments,
} from './attachments.ts';
import { confirmAttachment } from './confirm.ts';
import { presignAttachment } from './presign.ts';
import { deleteProjectAttachment, deleteTaskAttachment } from './remove.ts';

export const attachmentRoutes = [
  defineRoute('GET', '/tasks/:id/attachments', listTaskAttachments),
  defineRoute('POST', '/tasks/:id/attachments/presign', presignAttachment),
  defineRoute('POST', '/tasks/:id/attachments/confirm', confirmAttachment, {
    status: 201,
    okMeans: ALREADY_DONE_NOTE,
  }),
  defineRoute('GET', '/tasks/:id/attachments/:attachmentId/download', downloadTaskAttachment),
  defineRoute('DELETE', '/tasks/:id/attachments/:attachmentId', deleteTaskAttachment),
  defineRoute('GET', '/projects/:id/attachments', listProjectAttachments),
  defineRoute('GET', '/projects/:id/attachments/:attachmentId/download', downloadProjectAttachment),
  defineRoute('DELETE', '/projects/:id/attachments/:attachmentId', deleteProjectAttachment),
];
