import * as z from 'zod';
import { listRoleLimits } from '../../kernel/access/partial-result-note.ts';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { buildToolLine } from '../../kernel/text/tool-text.ts';
import { defineTool, readOnlyHints, summaryOutput } from '../../kernel/tools/tool.ts';
import { getMe } from './me.ts';

export const getMeTool = defineTool(
  {
    name: 'get_me',
    title: 'Get your profile',
    description: "Get the person you act for, their role and limits, workspace, time zone and today's date.",
    access: 'profile:read',
    hints: readOnlyHints,
    input: z.strictObject({}),
    output: z.strictObject({
      id: z.string(),
      email: z.string(),
      name: z.string(),
      image: z.string().nullable(),
      role: z.string(),
      workspace: summaryOutput,
      today: z.string(),
      timeZone: z.string(),
      limits: z.array(z.string()),
    }),
    lines: (me) => [
      buildToolLine(
        me.id,
        me.name,
        me.email,
        `${me.role} in ${me.workspace.name} (${me.workspace.plan} plan)`,
      ),
      buildToolLine(`Today is ${me.today}`, `time zone ${me.timeZone}`),
      ...(me.limits.length > 0
        ? [`Your role is ${me.role}, so you see ${me.limits.join('; ')}.`]
        : [`Your role is ${me.role}, so you see everything in the workspace.`]),
    ],
  },
  async (ctx) => {
    const { role, timezone } = ctx.caller;
    const { date } = toWallClock(ctx.now, timezone);
    return { ...(await ctx.run(getMe, {})), today: date, timeZone: timezone, limits: listRoleLimits(role) };
  },
);
