import { ALREADY_DONE_NOTE, route } from '../../kernel/http/route.ts';
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
  route('GET', '/tasks/:id/attachments', listTaskAttachments),
  route('POST', '/tasks/:id/attachments/presign', presignAttachment),
  route('POST', '/tasks/:id/attachments/confirm', confirmAttachment, {
    status: 201,
    okMeans: ALREADY_DONE_NOTE,
  }),
  route('GET', '/tasks/:id/attachments/:attachmentId/download', downloadTaskAttachment),
  route('DELETE', '/tasks/:id/attachments/:attachmentId', deleteTaskAttachment),
  route('GET', '/projects/:id/attachments', listProjectAttachments),
  route('GET', '/projects/:id/attachments/:attachmentId/download', downloadProjectAttachment),
  route('DELETE', '/projects/:id/attachments/:attachmentId', deleteProjectAttachment),
];
