import { type AppError, forbiddenError, notFoundError } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { TemplateRow } from './templates.queries.ts';

export function templateNotFoundError(id: number, field?: string): AppError {
  return notFoundError('template', id, ({ call }) => call('listTemplates'), field);
}

export function requirePermissionToSaveTemplates({ caller, reach }: Context) {
  if (reach !== 'none') return;
  throw forbiddenError(
    `You can't save templates with the ${caller.role} role. Ask someone with another role.`,
  );
}

export function mayChangeTemplate(
  { caller, reach }: Pick<Context, 'caller' | 'reach'>,
  { creator }: Pick<TemplateRow, 'creator'>,
): boolean {
  return reach === 'all' || (reach === 'own' && creator === caller.member);
}

export function requireEditableTemplate(ctx: Context, id: number, template: TemplateRow | null): TemplateRow {
  if (!template) throw templateNotFoundError(id);
  if (mayChangeTemplate(ctx, template)) return template;
  throw forbiddenError(
    `Only the person who saved template ${id}, and leads, admins and owners, can change it. Ask one of them.`,
  );
}
