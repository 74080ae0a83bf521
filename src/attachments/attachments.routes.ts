import { route } from '../kernel/route.ts';
import {
  downloadProjectAttachment,
  downloadTaskAttachment,
  listProjectAttachments,
  listTaskAttachments,
} from './attachments.ts';
import { confirmAttachment, presignAttachment } from './presign.ts';

export const attachmentRoutes = [
  route('GET', '/tasks/:id/attachments', listTaskAttachments),
  route('POST', '/tasks/:id/attachments/presign', presignAttachment),
  route('POST', '/tasks/:id/attachments/confirm', confirmAttachment, { status: 201, isRepeatable: true }),
  route('GET', '/tasks/:id/attachments/:attachmentId/download', downloadTaskAttachment),
  route('GET', '/projects/:id/attachments', listProjectAttachments),
  route('GET', '/projects/:id/attachments/:attachmentId/download', downloadProjectAttachment),
];
