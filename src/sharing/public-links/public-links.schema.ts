import * as z from 'zod';
import { civilDate, integerId, timestamp } from '../../kernel/operation/schema.ts';

/** The maximum number of links per project or filter. */
export const LINKS_MAX = 20;

/** Exactly one of the ids must be set. */
export const linkTargetInput = z.strictObject({
  projectId: integerId.optional(),
  filterId: integerId.optional(),
});

const options = {
  showsNames: z.boolean().meta({ description: "Whether visitors see people's names." }),
  expiresOn: civilDate.nullable().meta({
    description:
      "The last day on which the link works, in the workspace's time zone. Null if it doesn't expire.",
  }),
};

export const linkCreateInput = linkTargetInput.extend({
  showsNames: options.showsNames.default(false),
  expiresOn: options.expiresOn.optional(),
});

export const linkIdInput = z.strictObject({ id: integerId });
export const linkUpdateInput = linkIdInput.extend({
  showsNames: options.showsNames.optional(),
  expiresOn: options.expiresOn.optional(),
});

export const publicLink = z.object({
  id: integerId,
  /** Null if the address can't be displayed again. The link still works. */
  address: z.string().nullable(),
  ...options,
  hasExpired: z.boolean(),
  createdBy: z.object({ name: z.string() }),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
});

export const publicLinkList = z.object({
  /** The name of the project or filter. */
  name: z.string(),
  data: z.array(publicLink),
  /** Why the project or filter can't be shared at the moment, or null if it can. */
  problem: z.string().nullable(),
});
