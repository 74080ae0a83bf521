import type { Child } from 'hono/jsx';
import { splitAtImages } from '../../kernel/rich-text/attachment-images.ts';
import { AttachedImage } from './attached-image.tsx';
import { type CommentNode, parseComment } from './parse-comment.ts';
import { TextWithMentions } from './text-with-mentions.tsx';

/** Limits the size of the page. Links beyond the limit are displayed as text. */
const LINKS_MAX = 200;
const FORMATTED_CHARACTERS_MAX = 5_000;

export function CommentText({ text }: { text: string }) {
  const nodes = text.length <= FORMATTED_CHARACTERS_MAX ? parseComment(text) : null;
  const rest = { links: LINKS_MAX };
  return (
    <div class="rich text">
      {nodes === null
        ? splitAtImages(text).map((piece) =>
            typeof piece === 'string' ? (
              <TextWithMentions text={piece} hasLinks />
            ) : (
              <AttachedImage {...piece} />
            ),
          )
        : nodes.map((node) => renderNode(node, rest))}
    </div>
  );
}

function renderNode(node: CommentNode, rest: { links: number }, hasLinks = true): Child {
  if (typeof node === 'string') return <TextWithMentions text={node} hasLinks={hasLinks} />;
  if (node.tag === 'img') return <AttachedImage {...node} hasLink={hasLinks} />;
  const { tag: Tag, children, href, start } = node;
  if (Tag === 'code' || Tag === 'pre') return <Tag>{children as string[]}</Tag>;
  if (Tag === 'a') {
    rest.links -= 1;
    const text = children.map((child) => renderNode(child, rest, false));
    return rest.links < 0 ? (
      text
    ) : (
      <a href={href} rel="noopener noreferrer nofollow" target="_blank">
        {text}
      </a>
    );
  }
  const inner = children.map((child) => renderNode(child, rest, hasLinks));
  return Tag === 'ol' ? <ol start={start === 1 ? undefined : start}>{inner}</ol> : <Tag>{inner}</Tag>;
}
