import * as z from 'zod';
import { examplePerson } from '../../kernel/operation/examples.ts';
import {
  buildAsciiTextSchema,
  buildPlainTextSchema,
  integerId,
  timestamp,
} from '../../kernel/operation/schema.ts';
import { formatNumber } from '../../kernel/text/number-format.ts';
import { personSummary } from '../../tasks/summaries/summaries.schema.ts';

export const FILE_NAME_CHARACTERS_MAX = 255;
export const FILE_TYPE_CHARACTERS_MAX = 127;
/** Long enough for an origin, a key, a signature, and a response header with the file name. */
const URL_CHARACTERS_MAX = 8_000;
/** R2 accepts slightly less: 4.995 TiB per object. */
const FILE_BYTES_MAX = 5 * 1024 ** 4;
/** R2's limit per PUT: 5 GiB less 5 MiB. */
export const PRESIGNED_BYTES_MAX = 5 * 1024 ** 3 - 5 * 1024 ** 2;

// Matches control characters, line separators, and direction marks that can disguise an extension.
const UNSAFE_CHARACTER = /[\p{Cc}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;
const MEDIA_TYPE_PATTERN = /^[A-Za-z0-9][\w!#$&^.+-]*\/[A-Za-z0-9][\w!#$&^.+-]*$/;

export const fileName = z
  .string()
  .min(1)
  .max(FILE_NAME_CHARACTERS_MAX)
  .refine((name) => !/[/\\]/.test(name), { message: 'must be a file name without a path: no / or \\' })
  .refine((name) => name.isWellFormed() && !UNSAFE_CHARACTER.test(name), {
    message: 'must not contain control characters or bidirectional marks',
  })
  .refine((name) => name.trim() !== '' && name !== '.' && name !== '..', {
    message: "must not be blank, '.' or '..'",
  })
  .meta({ description: 'Stored and returned verbatim.', example: 'storyboard.pdf' });

export const fileType = z
  .string()
  .min(1)
  .max(FILE_TYPE_CHARACTERS_MAX)
  .refine((type) => MEDIA_TYPE_PATTERN.test(type), {
    message: 'must be a MIME type such as application/pdf, without parameters',
  })
  .meta({ example: 'application/pdf' });

export const fileSize = z
  .int()
  .min(1)
  .max(FILE_BYTES_MAX)
  .meta({ description: 'Size in bytes. Counts toward the storage limit immediately.', example: 482_133 });

export const presignedSize = z
  .int()
  .min(1)
  .max(FILE_BYTES_MAX)
  .meta({
    description: `Size in bytes. Counts toward the storage limit immediately. At most ${formatNumber(PRESIGNED_BYTES_MAX)}.`,
    example: 482_133,
  });

export const parentId = z
  .int()
  .min(0)
  .meta({ description: 'An attachment of the same task. The file becomes its new version.', example: 1 });

export const attachment = z
  .object({
    id: integerId,
    fileName: buildPlainTextSchema(FILE_NAME_CHARACTERS_MAX),
    fileType: buildAsciiTextSchema(FILE_TYPE_CHARACTERS_MAX),
    fileSize: z.int(),
    fileUrl: buildAsciiTextSchema(URL_CHARACTERS_MAX).meta({
      description: 'A URL that redirects to the download. Requires a credential that can see the attachment.',
    }),
    version: z.int().meta({ description: 'The version number, starting at 1.' }),
    parentId: integerId
      .nullable()
      .meta({ description: "The id of the file's first version. Null for the first version itself." }),
    uploadedBy: personSummary,
    createdAt: timestamp,
  })
  .meta({
    id: 'Attachment',
    example: {
      id: 82,
      fileName: 'storyboard.pdf',
      fileType: 'application/pdf',
      fileSize: 482_133,
      fileUrl: 'https://app.example.com/files/0/ws_4kPq/8sJ2mQ',
      version: 2,
      parentId: 81,
      uploadedBy: examplePerson,
      createdAt: '2026-03-02T09:30:00.000Z',
    },
  });
export type Attachment = z.infer<typeof attachment>;

const downloadLink = buildAsciiTextSchema(URL_CHARACTERS_MAX).meta({
  description: 'Download URL. Works without authentication until it expires.',
});

/** Agents get a signed URL, because they have no credential for `fileUrl`. */
export const attachmentWithLink = attachment.omit({ fileUrl: true }).extend({ url: downloadLink });

export const presignResult = z
  .object({
    uploadUrl: buildAsciiTextSchema(URL_CHARACTERS_MAX).meta({
      description: 'PUT the bytes here within 1 hour, with `fileType` as Content-Type.',
    }),
    s3Key: buildAsciiTextSchema(200),
    fileUrl: buildAsciiTextSchema(URL_CHARACTERS_MAX),
  })
  .meta({ id: 'PresignResult' });

export const attachmentDownload = z
  .object({
    url: downloadLink,
    expiresAt: timestamp,
    fileName: buildPlainTextSchema(FILE_NAME_CHARACTERS_MAX),
    fileType: buildAsciiTextSchema(FILE_TYPE_CHARACTERS_MAX),
    fileSize: z.int(),
  })
  .meta({ id: 'AttachmentDownload' });
