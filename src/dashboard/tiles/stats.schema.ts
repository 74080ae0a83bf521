import * as z from 'zod';

export const stats = z
  .object({ projects: z.int(), overdue: z.int(), dueToday: z.int(), dueThisWeek: z.int() })
  .meta({ id: 'DashboardStats', example: { projects: 6, overdue: 4, dueToday: 2, dueThisWeek: 9 } });

export type DashboardStats = z.output<typeof stats>;
