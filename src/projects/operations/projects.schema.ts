import * as z from 'zod';
import { roles } from '../../kernel/access/roles.ts';
import { examplePerson } from '../../kernel/operation/examples.ts';
import { integerId, timestamp } from '../../kernel/operation/schema.ts';
import {
  emailText,
  imageUrl,
  personId,
  personName,
  personSummary,
  projectName,
  referenceText,
} from '../../tasks/summaries/summaries.schema.ts';

const memberExample = {
  ...examplePerson,
  image: null,
  role: 'lead',
  isOwner: true,
};

export const projectMember = z
  .object({
    id: personId.meta({ description: 'The user id. Use it as `assigneeId`.' }),
    name: personName,
    email: emailText,
    image: imageUrl.nullable(),
    role: z.enum(roles).meta({ description: 'Role in the workspace.' }),
    isOwner: z.boolean().meta({ description: 'Whether the person is the project lead.' }),
  })
  .meta({ id: 'ProjectMember', example: memberExample });

const projectFields = {
  id: integerId,
  name: projectName,
  status: referenceText.meta({ description: 'A `value` from GET /project-statuses.', example: 'active' }),
  taskCount: z.int().meta({ description: 'Excludes archived tasks.' }),
  createdAt: timestamp,
};

const members = z.array(projectMember).optional().meta({
  description: 'Only with `expand=members`. The project lead comes first, then the others by name.',
});

const projectExample = {
  id: 7,
  name: 'Spring launch',
  status: 'active',
  taskCount: 42,
  createdAt: '2026-03-02T09:30:00.000Z',
};

export const project = z
  .object({ ...projectFields, members })
  .meta({ id: 'Project', example: projectExample });

export const projectDetail = z
  .object({
    ...projectFields,
    description: z.string().max(100_000).nullable(),
    owner: personSummary,
    memberCount: z.int().meta({ description: 'Includes the project lead.' }),
    members,
  })
  .meta({
    id: 'ProjectDetail',
    example: {
      ...projectExample,
      description: 'A new site before the fair.',
      owner: { id: memberExample.id, name: memberExample.name, email: memberExample.email },
      memberCount: 5,
    },
  });

export const projectScopes = ['mine', 'all'] as const;
export type ProjectScope = (typeof projectScopes)[number];
