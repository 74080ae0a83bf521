import * as z from 'zod';
import { line, reads, summary, tool } from '../kernel/tool.ts';
import { getMe } from './me.ts';

export const getMeTool = tool(
  {
    name: 'get_me',
    title: 'Who am I',
    description: 'The person you act for, and the workspace.',
    access: 'profile:read',
    hints: reads,
    input: z.strictObject({}),
    output: z.strictObject({
      id: z.string(),
      email: z.string(),
      name: z.string(),
      image: z.string().nullable(),
      role: z.string(),
      workspace: summary,
    }),
    lines: (me) => [
      line(me.name, me.email, `${me.role} of ${me.workspace.name} (plan ${me.workspace.plan})`, me.id),
    ],
  },
  (ctx) => ctx.run(getMe, {}),
);
