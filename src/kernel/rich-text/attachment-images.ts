/*
 * Descriptions (HTML) and comments (Markdown) refer to an image among the task's attachments as `attachment:82`. Pages
 * replace the reference with a URL, so that stored text contains no signed or expiring URL.
 */

/** Browsers decode these types safely. SVG isn't one of them, because it can contain scripts. */
export const imageTypes: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
];

const ATTACHMENT_URL_PATTERN = /^attachment:([1-9]\d{0,14})$/;

export function parseAttachmentUrl(url: string): number | null {
  const [, id] = ATTACHMENT_URL_PATTERN.exec(url) ?? [];
  return id === undefined ? null : Number(id);
}

export function buildAttachmentUrl(id: number): string {
  return `attachment:${id}`;
}

/** An image in a comment: the alternative text, and the id of the attachment. */
export const IMAGE_MARKDOWN_PATTERN = /!\[([^[\]\n]*)\]\(attachment:([1-9]\d{0,14})\)/g;

export function buildImageMarkdown(alt: string, id: number): string {
  const text = alt.replace(/[[\]\s]+/g, ' ').trim();
  return `![${text}](${buildAttachmentUrl(id)})`;
}

export interface AttachmentImage {
  readonly attachment: number;
  readonly alt: string;
}

export function splitAtImages(text: string): (string | AttachmentImage)[] {
  const pieces: (string | AttachmentImage)[] = [];
  let from = 0;
  for (const { 0: whole, 1: alt = '', 2: id, index } of text.matchAll(IMAGE_MARKDOWN_PATTERN)) {
    if (index > from) pieces.push(text.slice(from, index));
    pieces.push({ attachment: Number(id), alt });
    from = index + whole.length;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

/** For plain text, such as emails and excerpts of comments. */
export function describeImages(text: string): string {
  return splitAtImages(text)
    .map((piece) => (typeof piece === 'string' ? piece : describeImage(piece.alt)))
    .join('');
}

function describeImage(alt: string): string {
  return alt.trim() === '' ? '[image]' : `[image: ${alt.trim()}]`;
}
