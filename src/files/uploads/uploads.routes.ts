import { ALREADY_DONE_NOTE, route } from '../../kernel/http/route.ts';
import { uploadChunk } from './chunk.ts';
import { abortUpload, completeUpload, deleteUpload, getUploadStatus, initUpload } from './uploads.ts';

export const uploadRoutes = [
  route('POST', '/chunked-upload/init', initUpload, { status: 201 }),
  route('GET', '/chunked-upload/status/:sessionId', getUploadStatus),
  route('POST', '/chunked-upload/chunk/:sessionId/:partNumber', uploadChunk, { body: 'bytes' }),
  route('POST', '/chunked-upload/complete/:sessionId', completeUpload, {
    status: 201,
    okMeans: ALREADY_DONE_NOTE,
  }),
  route('POST', '/chunked-upload/abort/:sessionId', abortUpload),
  route('DELETE', '/chunked-upload/:sessionId', deleteUpload),
];
