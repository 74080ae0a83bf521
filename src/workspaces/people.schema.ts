import * as z from 'zod';

/** A person as other resources mention them. */
export const personSummary = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
  })
  .meta({ id: 'PersonSummary', example: { id: 'usr_5TbQm', name: 'Mira Holt', email: 'mira@example.com' } });
export type PersonSummary = z.infer<typeof personSummary>;
