import * as z from 'zod';
import { quoteValue } from '../../kernel/errors/describe-parse-error.ts';
import { buildAsciiTextSchema, buildPlainTextSchema, timestamp } from '../../kernel/operation/schema.ts';
import { describeInvalidClientName } from '../clients/client-name.ts';
import { REDIRECT_URIS_MAX } from '../clients/register-client.ts';
import { describeUnsafeRedirect } from '../protocol/redirect-uri.ts';

export const OWN_APPS_MAX = 20;
const REDIRECT_URIS_CHARACTERS_MAX = 8_000;

const appName = z
  .string()
  .trim()
  .min(1)
  .superRefine((name, context) => addProblem(context, describeInvalidClientName(name)))
  .meta({ description: 'The name that people see when they authorize the app.' });

const redirectUris = z
  .string()
  .trim()
  .min(1)
  .max(REDIRECT_URIS_CHARACTERS_MAX)
  .superRefine((text, context) => addProblem(context, describeInvalidRedirects(splitLines(text))))
  .meta({ description: 'Redirect URIs, one per line.' });

const id = z.string().max(100);

export const ownAppCreateInput = z.strictObject({ name: appName, redirectUris });
export const ownAppUpdateInput = z.strictObject({
  id,
  name: appName.optional(),
  redirectUris: redirectUris.optional(),
});
export const ownAppDeleteInput = z.strictObject({ id });

export const ownAppsOutput = z.object({
  apps: z
    .array(
      z.object({
        id: buildAsciiTextSchema(100),
        name: buildPlainTextSchema(100),
        redirectUris: buildAsciiTextSchema(REDIRECT_URIS_CHARACTERS_MAX),
        createdAt: timestamp,
        people: z.int(),
      }),
    )
    .max(OWN_APPS_MAX),
});

export function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function describeInvalidRedirects(uris: readonly string[]): string | null {
  if (uris.length > REDIRECT_URIS_MAX)
    return `must have at most ${REDIRECT_URIS_MAX} redirect URIs; got ${uris.length}`;
  const unsafe = uris
    .map((uri) => [uri, describeUnsafeRedirect(uri)] as const)
    .find(([, problem]) => problem);
  return unsafe ? `${quoteValue(unsafe[0])} ${unsafe[1]}` : null;
}

function addProblem(context: z.RefinementCtx, message: string | null) {
  if (message) context.addIssue({ code: 'custom', message });
}
