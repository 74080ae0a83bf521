export const OTHERS_FIELD = 'others';

export function parseAssignees(fields: URLSearchParams) {
  const assignee = fields.get('assigneeId') ?? '';
  const others = fields.getAll(OTHERS_FIELD);
  if (others.length === 0) return assignee === '' ? {} : { assigneeId: assignee };
  return { assigneeIds: [...new Set([assignee, ...others])].filter((id) => id !== '') };
}
