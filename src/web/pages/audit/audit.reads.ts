import * as z from 'zod';
import { listAuditEntries } from '../../../audit/audit.ts';
import { auditTypeNames } from '../../../kernel/audit/audit-types.ts';
import { civilDate } from '../../../kernel/operation/schema.ts';
import { listPeopleChoices } from '../../../search/lookup/choices.ts';
import { namePeople } from '../../../tasks/mentions/mentionable.ts';
import { listBots } from '../../../workspaces/bots/bots.ts';

export const auditParams = z.object({
  person: z.string().max(100).optional(),
  type: z.enum(auditTypeNames).optional(),
  from: civilDate.optional(),
  to: civilDate.optional(),
  cursor: z.string().max(1000).optional(),
});
export const auditReads = { log: listAuditEntries, people: listPeopleChoices, bots: listBots };
/** The list of people is limited and omits people who have left, so the selected person is read separately. */
export const auditOptionalReads = { selectedPerson: namePeople };

export function toAuditFilter({ person, type, from, to }: z.output<typeof auditParams>) {
  return {
    ...(person !== undefined && { actorId: person }),
    ...(type !== undefined && { type }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}
