import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { hashSecret } from '../../kernel/secrets/tokens.ts';
import { findMailModes } from '../mail/directory.queries.ts';
import { modesInput, parseModes } from '../mail/mail-modes.ts';
import { pushSettings } from '../push/push.schema.ts';
import { parsePushTypes } from '../push/push-types.ts';
import { findPushState } from '../push/subscriptions.queries.ts';
import { findPushKey } from '../push/vapid.ts';

export const getNotificationSettings = defineOperation(
  {
    name: 'getNotificationSettings',
    summary: 'Get your notification settings',
    access: 'session',
    capability: 'manageOwn',
    effect: 'read',
    input: z.strictObject({}),
    output: z.object({ mailModes: modesInput, push: pushSettings }),
  },
  async ({ request, caller }) => {
    const serverKey = (await findPushKey(request))?.publicKey ?? null;
    const [mail, push] = await request.directory.batch([
      findMailModes(caller.userId),
      findPushState(caller.userId, caller.credential.hash, serverKey ?? ''),
    ]);
    return {
      mailModes: parseModes(mail?.modes ?? null),
      push: {
        serverKey,
        endpointHash: push.endpoint === null ? null : hashSecret(push.endpoint),
        types: [...parsePushTypes(push.types)],
      },
    };
  },
);
