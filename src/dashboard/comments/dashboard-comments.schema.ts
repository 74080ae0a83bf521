import * as z from 'zod';
import { buildPageSchema, pageInput } from '../../kernel/lists/pagination.ts';
import { integerId, timestamp } from '../../kernel/operation/schema.ts';
import {
  commentText,
  personAvatarWithEmail,
  projectName,
  taskName,
} from '../../tasks/summaries/summaries.schema.ts';
import { dateRange, peopleFilter, projectFilter, textFilter } from '../scope/scope.schema.ts';

export const dashboardCommentsInput = z.strictObject({
  search: textFilter.meta({ description: 'Only comments that contain this text, ignoring case.' }),
  ...dateRange,
  ...peopleFilter,
  ...projectFilter,
  ...pageInput,
});

export const dashboardComment = z
  .object({
    id: integerId,
    content: commentText,
    author: personAvatarWithEmail,
    task: z.object({ id: integerId, title: taskName }),
    project: z.object({ id: integerId, name: projectName }),
    createdAt: timestamp,
  })
  .meta({ id: 'DashboardComment' });
export const dashboardCommentPage = buildPageSchema(dashboardComment).meta({ id: 'DashboardCommentPage' });
