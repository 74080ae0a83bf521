export const OTHER_ASSIGNEES_FIELD = 'others';

export function parseAssigneeInput(fields: URLSearchParams) {
  const assignee = fields.get('assigneeId') ?? '';
  const others = fields.getAll(OTHER_ASSIGNEES_FIELD);
  if (others.length === 0) return assignee === '' ? {} : { assigneeId: assignee };
  return { assigneeIds: [...new Set([assignee, ...others])].filter((id) => id !== '') };
}
