import { ALREADY_DONE_NOTE, defineRoute } from '../../kernel/http/route.ts';
import { uploadChunk } from './upload-chunk.ts';
import { abortUpload, completeUpload, deleteUpload, getUploadStatus, initUpload } from './uploads.ts';

export const uploadRoutes = [
  defineRoute('POST', '/chunked-upload/init', initUpload, { status: 201 }),
  defineRoute('GET', '/chunked-upload/status/:sessionId', getUploadStatus),
  defineRoute('POST', '/chunked-upload/chunk/:sessionId/:partNumber', uploadChunk, { body: 'bytes' }),
  defineRoute('POST', '/chunked-upload/complete/:sessionId', completeUpload, {
    status: 201,
    okMeans: ALREADY_DONE_NOTE,
  }),
  defineRoute('POST', '/chunked-upload/abort/:sessionId', abortUpload),
  defineRoute('DELETE', '/chunked-upload/:sessionId', deleteUpload),
];
