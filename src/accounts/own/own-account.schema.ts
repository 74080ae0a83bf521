import * as z from 'zod';
import { timestamp } from '../../kernel/operation/schema.ts';
import { emailText, imageUrl, personName } from '../../tasks/summaries/summaries.schema.ts';
import { workspaceNameInput } from '../../workspaces/directory/workspaces.schema.ts';
import { emailAddress, newPassword, newPersonName } from '../sign-up/accounts.schema.ts';

const currentPassword = z.string().max(1024).optional();

export const passwordResetRequestInput = z.strictObject({ email: z.string().min(1).max(320) });
const endAccess = z.boolean().default(false);

export const passwordResetInput = z.strictObject({
  token: z.string().max(200),
  password: newPassword,
  endAccess,
});
export const linkInput = z.strictObject({ token: z.string().max(200) });

export const profileOutput = z.object({
  name: personName,
  email: emailText,
  image: imageUrl.nullable(),
  hasPassword: z.boolean(),
});

export const nameInput = z.strictObject({ name: newPersonName });
export const passwordInput = z.strictObject({ password: currentPassword, newPassword, endAccess });
export const emailInput = z.strictObject({ email: emailAddress, password: currentPassword });

export const PICTURE_BYTES_MAX = 2 * 1024 * 1024;
export const pictureInput = z.strictObject({
  bytes: z
    .instanceof(Uint8Array)
    .refine((bytes) => bytes.length <= PICTURE_BYTES_MAX, 'must be at most 2 MB'),
});

export const browserListOutput = z.object({
  browsers: z.array(
    z.object({
      id: z.string().max(64),
      userAgent: z.string().max(300),
      signedInAt: timestamp,
      isThisOne: z.boolean(),
    }),
  ),
});
export const browserIdInput = z.strictObject({ id: z.string().max(64) });

export const workspaceCreateInput = z.strictObject({ name: workspaceNameInput });
export const workspaceCreateOutput = z.object({ workspaceId: z.string().max(64) });

export const accountDeleteInput = z.strictObject({
  email: z.string().max(320).meta({ description: "Your account's email address, to confirm the deletion." }),
  password: currentPassword,
});

export const noInput = z.strictObject({});
