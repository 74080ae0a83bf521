import { decodeBase64urlIgnorePadding } from '@oslojs/encoding';
import * as z from 'zod';
import { buildAsciiTextSchema } from '../../kernel/operation/schema.ts';
import { notificationTypes } from '../inbox/notifications.schema.ts';
import { AUTH_BYTES, PUBLIC_KEY_BYTES } from './encrypt-push.ts';

const KEY_CHARACTERS_MAX = 100;
const ENDPOINT_CHARACTERS_MAX = 1024;

export function parseBase64url(text: string): Uint8Array {
  return decodeBase64urlIgnorePadding(text);
}

function hasBytes(text: string, length: number): boolean {
  try {
    return parseBase64url(text).length === length;
  } catch {
    return false;
  }
}

function buildKeySchema(length: number) {
  return z
    .string()
    .max(KEY_CHARACTERS_MAX)
    .refine((text) => hasBytes(text, length), { message: `must be ${length} bytes in base64url` });
}

/** A browser's `PushSubscription`, and the key that it was created with. */
export const subscriptionInput = z.strictObject({
  endpoint: z.string().min(1).max(ENDPOINT_CHARACTERS_MAX),
  p256dh: buildKeySchema(PUBLIC_KEY_BYTES),
  auth: buildKeySchema(AUTH_BYTES),
  serverKey: buildKeySchema(PUBLIC_KEY_BYTES),
});

const pushTypes = z.array(z.enum(notificationTypes)).max(notificationTypes.length);

export const pushTypesInput = z.strictObject({ types: pushTypes.default([]) });

export const pushSettings = z.object({
  /** Null if the deployment has no key for push. */
  serverKey: buildAsciiTextSchema(KEY_CHARACTERS_MAX).nullable(),
  /** The hash of the endpoint of the browser that asks, or null if push is off in this browser. */
  endpointHash: z.string().nullable(),
  types: pushTypes,
});
