import * as z from 'zod';
import { DAY_MS } from '../../kernel/dates/durations.ts';
import { buildPageSchema, pageInput } from '../../kernel/lists/pagination.ts';
import { examplePerson } from '../../kernel/operation/examples.ts';
import {
  buildAsciiTextSchema,
  buildPlainTextSchema,
  integerId,
  timestamp,
} from '../../kernel/operation/schema.ts';
import { personSummary } from '../../tasks/summaries/summaries.schema.ts';

const URL_CHARACTERS_MAX = 8_000;
/** How long an export and its download link last. */
export const EXPORT_LIFETIME_MS = DAY_MS;
/** The maximum numbers of exports that a workspace, and each person in it, can keep, because exports can be large. */
export const EXPORTS_MAX = 3;

const GIB = 1024 ** 3;
/** With more, the parts of an archive would no longer fit in the Worker's memory. */
export const EXPORT_FILE_BYTES_MAX = 100 * GIB;
const PART_BYTES_MIN = 8 * 1024 ** 2;
/** R2 allows 10,000 parts. Tables and headers use the rest. */
const FILE_PARTS_MAX = 9_000;

/** All parts but the last have the same size. */
export function getPartBytes(fileBytes: number): number {
  const mebibytes = Math.ceil(fileBytes / FILE_PARTS_MAX / 1024 ** 2);
  return Math.max(PART_BYTES_MIN, mebibytes * 1024 ** 2);
}

/** `own` is what the person who starts the export has created. */
const exportContents = z.enum(['workspace', 'own']);

export const exportIdInput = z.strictObject({ id: integerId });
export const exportListInput = z.strictObject(pageInput);
export const exportCreateInput = z.strictObject({
  contents: exportContents.default('workspace').meta({
    description:
      'The whole `workspace`, which only owners and admins can export, or only your `own` data: what you created, wrote, tracked and uploaded.',
  }),
  includeFiles: z.boolean().default(true).meta({
    description: 'Whether the archive contains the attached files, or only their names and sizes.',
  }),
});

const count = z.int().min(0);
const shape = {
  id: integerId,
  status: z.enum(['running', 'completed', 'failed']),
  contents: exportContents,
  includesFiles: z.boolean(),
  progress: z
    .object({
      step: buildPlainTextSchema(50).meta({
        description: 'The file of the archive that is being written, such as `tasks`.',
      }),
      stepsDone: count,
      stepsTotal: count,
      records: count.meta({ description: 'The lines written so far, in all tables.' }),
      files: count.meta({ description: 'The attached files copied so far.' }),
    })
    .meta({ description: 'How far along the export is.' }),
  bytes: count.meta({ description: 'The size of the archive so far.' }),
  problem: buildPlainTextSchema(500).nullable(),
  createdBy: personSummary,
  createdAt: timestamp,
  finishedAt: timestamp.nullable(),
  expiresAt: timestamp.nullable().meta({ description: 'When the archive is deleted.' }),
};
const exampleExport = {
  id: 3,
  status: 'completed' as const,
  contents: 'workspace' as const,
  includesFiles: true,
  progress: { step: 'done', stepsDone: 23, stepsTotal: 23, records: 1_842, files: 12 },
  bytes: 48_210_344,
  problem: null,
  createdBy: examplePerson,
  createdAt: '2026-03-02T09:30:00.000Z',
  finishedAt: '2026-03-02T09:31:10.000Z',
  expiresAt: '2026-03-03T09:31:10.000Z',
};

export const listedExport = z.object(shape).meta({ id: 'ListedExport', example: exampleExport });
export const exportPage = buildPageSchema(listedExport).meta({ id: 'ExportPage' });
export const exportDetail = z
  .object({
    ...shape,
    downloadUrl: buildAsciiTextSchema(URL_CHARACTERS_MAX).nullable().meta({
      description:
        'Where to download the archive, without a credential, until `expiresAt`. Null unless the export is completed.',
    }),
  })
  .meta({
    id: 'Export',
    example: {
      ...exampleExport,
      downloadUrl: 'https://api.example.com/downloads/0/ws_x/abc?X-Amz-Signature=…',
    },
  });
