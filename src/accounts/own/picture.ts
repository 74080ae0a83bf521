import { invalidRequestError } from '../../kernel/errors/errors.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import type { DirectoryJob } from '../../kernel/operation/jobs.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { createSecret } from '../../kernel/secrets/tokens.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import { tryToCopyPerson } from './copy-people.ts';
import { updateImage } from './own-account.queries.ts';
import { noInput, pictureInput } from './own-account.schema.ts';
import { deletePictures, findPicture, insertPicture, listUnusedPictures } from './picture.queries.ts';

const accountAccess = { access: 'account', capability: null } as const;

/** Pictures aren't in the cells' folders, because the sweep of unused objects would delete them there. */
const toPictureKey = (id: string) => `people/${id}`;
export const PICTURE_PATH = '/pictures';

export const setPicture = defineOperation(
  {
    ...accountAccess,
    name: 'setPicture',
    summary: 'Set your profile picture',
    effect: 'write',
    input: pictureInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { bytes }) => {
    const fileType = detectImageType(bytes);
    if (fileType === null) throw invalidRequestError('The picture must be a PNG, JPEG or WebP file.');
    const { account: own, directory, now, request } = ctx;
    const id = createSecret();
    // Inserts the row first, because the cleanup finds unused pictures by their rows.
    await directory.withoutIdempotencyKey().batch([insertPicture(id, own.id, fileType, now)]);
    await request.env.FILES.put(toPictureKey(id), bytes, { httpMetadata: { contentType: fileType } });
    await directory.batch([updateImage(own.id, `${request.origin}${PICTURE_PATH}/${id}`)]);
    await tryToCopyPerson(request, own.id);
    return { success: true as const };
  },
);

export const removePicture = defineOperation(
  {
    ...accountAccess,
    name: 'removePicture',
    summary: 'Remove your profile picture',
    effect: 'write',
    input: noInput,
    output: successOutput,
    replay: successReplay,
  },
  async ({ account: own, directory, request }) => {
    await directory.batch([updateImage(own.id, null)]);
    await tryToCopyPerson(request, own.id);
    return { success: true as const };
  },
);

function detectImageType(bytes: Uint8Array): string | null {
  const startsWith = (...magic: number[]) => magic.every((byte, index) => bytes[index] === byte);
  if (startsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (startsWith(0xff, 0xd8, 0xff)) return 'image/jpeg';
  const isRiff = startsWith(0x52, 0x49, 0x46, 0x46);
  const isWebp = [0x57, 0x45, 0x42, 0x50].every((byte, index) => bytes[8 + index] === byte);
  return isRiff && isWebp ? 'image/webp' : null;
}

const PICTURE_ID_PATTERN = /^[\w-]{27}$/;
const DAY_SECONDS = 86_400;

/** Pictures are public, but their URLs can't be guessed. The headers stop scripts in a picture from running. */
export async function servePicture(c: HttpContext): Promise<Response> {
  const id = c.req.param('id') ?? '';
  if (!PICTURE_ID_PATTERN.test(id)) return c.notFound();
  const scope = c.get('scope');
  const [picture] = await scope.directory.batch([findPicture(id)]);
  const object = picture && (await scope.env.FILES.get(toPictureKey(id)));
  if (!picture || !object) return c.notFound();
  return new Response(object.body, {
    headers: {
      'Content-Type': picture.file_type,
      'Content-Length': String(object.size),
      'Content-Disposition': 'inline',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': `public, max-age=${DAY_SECONDS}, immutable`,
    },
  });
}

const UNUSED_PICTURE_AGE_MS_MIN = 60 * 60_000;
const PICTURES_PER_RUN_MAX = 20;
const FIND_PICTURES_COST = 3;

/** Deletes the rows last, so that a failed run can be repeated. */
export const cleanPictures: DirectoryJob = {
  name: 'pictures.clean',
  cost: FIND_PICTURES_COST,
  async run(scope, allowance) {
    if (countAffordableUnits(allowance, FIND_PICTURES_COST, 1) === 0) return true;
    const [unshown] = await scope.directory.batch([
      listUnusedPictures(scope.now - UNUSED_PICTURE_AGE_MS_MIN, PICTURES_PER_RUN_MAX),
    ]);
    if (unshown.length === 0) return false;
    const ids = unshown.map(({ id }) => id);
    await scope.env.FILES.delete(ids.map(toPictureKey));
    await scope.directory.batch([deletePictures(ids)]);
    return unshown.length === PICTURES_PER_RUN_MAX;
  },
};
