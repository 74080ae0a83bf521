import { balanceRichText } from '../../kernel/rich-text/balance-rich-text.ts';
import { toPlainText } from '../../kernel/rich-text/plain-text.ts';
import { AttachedImage } from './attached-image.tsx';
import { useOptionalVisit } from './context.ts';
import { findLinks } from './find-links.ts';
import { findLinkedTask, type LinkedTask } from './linked-task.ts';
import { resolveReferences } from './resolve-references.ts';

export function LinkedText({ text }: { text: string }) {
  const visit = useOptionalVisit();
  return (
    <>
      {findLinks(text).map((piece) => {
        if (typeof piece === 'string') return piece;
        const { href } = piece;
        const task = findLinkedTask(href, visit);
        if (task) {
          return (
            <a href={href}>
              <TaskLabel task={task} />
            </a>
          );
        }
        return (
          <a href={href} rel="noopener noreferrer nofollow" target="_blank">
            {href}
          </a>
        );
      })}
    </>
  );
}

function TaskLabel({ task }: { task: LinkedTask }) {
  return (
    <>
      <bdi>{task.name}</bdi> #{task.id}
    </>
  );
}

export function RichText({ html, class: className = '' }: { html: string; class?: string }) {
  const visit = useOptionalVisit();
  if (!html.includes('<')) {
    return (
      <div class={`rich text ${className}`}>
        <LinkedText text={toPlainText(html)} />
      </div>
    );
  }
  const resolved = resolveReferences(balanceRichText(html), {
    image: (id, alt, isInLink) =>
      String(<AttachedImage attachment={id} alt={toPlainText(alt)} hasLink={!isInLink} />),
    taskName(url) {
      const task = findLinkedTask(url, visit);
      return task && String(<TaskLabel task={task} />);
    },
  });
  return (
    <div
      class={`rich ${className}`}
      // The HTML was sanitized when it was stored. Balancing its tags keeps it inside this element.
      dangerouslySetInnerHTML={{ __html: resolved }}
    />
  );
}
