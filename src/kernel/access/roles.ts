export const roles = ['owner', 'admin', 'lead', 'member', 'client'] as const;
export type Role = (typeof roles)[number];
