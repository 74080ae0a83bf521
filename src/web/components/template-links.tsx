import type * as z from 'zod';
import type { listTemplates } from '../../templates/operations/templates.ts';
import { useVisit } from './context.ts';

export const TEMPLATES_SUGGESTED_MAX = 5;

interface TemplateLinksProps {
  templates: z.output<typeof listTemplates.output>;
  query?: string;
}

export function TemplateLinks({ templates: { data, meta }, query = '' }: TemplateLinksProps) {
  const { base } = useVisit();
  if (data.length === 0) return null;
  return (
    <p class="hint">
      Start from a template:{' '}
      {data.map(({ id, name }, index) => (
        <>
          {index === 0 ? null : ', '}
          <a href={`${base}/templates/${id}${query}`}>
            <bdi>{name}</bdi>
          </a>
        </>
      ))}
      {meta.hasMore ? (
        <>
          {', '}
          <a href={`${base}/templates`}>all templates</a>
        </>
      ) : null}
    </p>
  );
}
