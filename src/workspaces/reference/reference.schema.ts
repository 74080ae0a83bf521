import * as z from 'zod';
import { roles } from '../../kernel/access/roles.ts';
import { examplePerson } from '../../kernel/operation/examples.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import {
  colorText,
  emailText,
  imageUrl,
  initialsText,
  personId,
  personName,
  referenceText,
} from '../../tasks/summaries/summaries.schema.ts';

const statusFields = {
  id: integerId,
  value: referenceText.meta({ description: 'The value in requests and responses.' }),
  label: referenceText.meta({ description: 'The label people see.' }),
  color: colorText.meta({ description: 'Hex color.' }),
  order: z.int().meta({ description: 'Position in the list of statuses.' }),
  isActive: z.boolean(),
};

export const taskStatus = z.object(statusFields).meta({
  id: 'TaskStatus',
  example: { id: 2, value: 'in_progress', label: 'In progress', color: '#2563eb', order: 2, isActive: true },
});

export const projectStatus = z.object(statusFields).meta({
  id: 'ProjectStatus',
  example: { id: 4, value: 'on-hold', label: 'On hold', color: '#d97706', order: 4, isActive: true },
});

const categoryFields = {
  id: integerId,
  key: referenceText,
  value: referenceText.meta({ description: 'The label people see.' }),
  defaultEstimatedHours: z.number().nullable(),
};

export const taskCategory = z.object(categoryFields).meta({
  id: 'TaskCategory',
  example: { id: 3, key: 'design', value: 'Design', defaultEstimatedHours: 4 },
});

export const taskType = z.object({ ...categoryFields, categoryId: integerId }).meta({
  id: 'TaskType',
  example: { id: 9, key: 'wireframe', value: 'Wireframe', defaultEstimatedHours: 2.5, categoryId: 3 },
});

const personFields = {
  id: personId,
  name: personName,
  email: emailText,
  image: imageUrl.nullable(),
};

const personExample = { ...examplePerson, image: null };

export const user = z
  .object({
    ...personFields,
    initials: initialsText,
    role: z.enum(roles).meta({ description: 'Role in the workspace.' }),
  })
  .meta({ id: 'User', example: { ...personExample, initials: 'MH', role: 'lead' } });

const teamMember = z
  .object({ ...personFields, role: z.enum(['lead', 'member']).meta({ description: 'Role in the team.' }) })
  .meta({ id: 'TeamMember', example: { ...personExample, role: 'lead' } });

export const team = z
  .object({
    id: integerId,
    name: referenceText,
    parentId: integerId.nullable().meta({ description: 'The parent team.' }),
    members: z.array(teamMember).meta({ description: 'Leads come first, then the others by name.' }),
  })
  .meta({
    id: 'Team',
    example: { id: 2, name: 'Web', parentId: 1, members: [{ ...personExample, role: 'lead' }] },
  });
