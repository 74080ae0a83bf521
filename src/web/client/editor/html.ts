import { DOMParser, type Mark, type Node } from 'prosemirror-model';
import { buildAttachmentUrl } from '../../../kernel/rich-text/attachment-images.ts';
import { parseInertMarkup } from './inert-markup.ts';
import { schema } from './schema.ts';

const parser = DOMParser.fromSchema(schema);

export function parseRichText(html: string): Node {
  const isPlain = !html.includes('<');
  if (html.trim() === '') return schema.node('doc', null, schema.node('p'));
  const body = parseInertMarkup(isPlain ? html.trim() : html);
  // Whitespace between rows or items is not content, even inside `pre`.
  for (const { childNodes } of body.querySelectorAll('table, thead, tbody, tr, ul, ol'))
    for (const each of [...childNodes])
      if (each instanceof Text && /^[ \t\r\n\f]*$/.test(each.data)) each.remove();
  const topNode = schema.node('doc', { isPlain }, schema.node('p'));
  return parser.parse(body, { preserveWhitespace: isPlain, topNode });
}

export function serializeRichText(doc: Node): string {
  const isEmpty = doc.childCount === 1 && doc.firstChild?.isTextblock && doc.firstChild.content.size === 0;
  if (isEmpty) return '';
  return (doc.attrs.isPlain && serializePlainText(doc)) || serializeBlocks(doc);
}

function serializePlainText(doc: Node): string | null {
  const lines: string[] = [];
  let isPlain = true;
  doc.forEach((line) => {
    isPlain &&= line.type.name === 'line';
    const output: string[] = [];
    line.forEach(({ type, text = '', marks }) => {
      isPlain &&= marks.length === 0 && type.name !== 'img';
      output.push(type.name === 'br' ? '\n' : escapeText(text));
    });
    lines.push(output.join(''));
  });
  return isPlain ? lines.join('\n') : null;
}

function serializeBlocks(parent: Node, keepsSpaces = false): string {
  const output: string[] = [];
  parent.forEach((child, _offset, index) => {
    const { name } = child.type;
    if (name === 'line') {
      const followsLine = index > 0 && parent.child(index - 1).type === child.type;
      output.push(followsLine ? '<br>' : '', serializeLine(child, keepsSpaces));
      return;
    }
    const tag = name === 'box' ? child.attrs.tag : name;
    output.push(`<${tag}>`);
    if (tag === 'hr') return;
    const keepsChildSpaces = keepsSpaces || tag === 'pre';
    const content = child.isTextblock
      ? serializeLine(child, keepsChildSpaces)
      : serializeBlocks(child, keepsChildSpaces);
    // Browsers drop the first line break of a `pre`, so this adds another.
    if (tag === 'pre' && content.startsWith('\n')) output.push('\n');
    output.push(content, `</${tag}>`);
  });
  return output.join('');
}

function serializeLine(line: Node, keepsSpaces: boolean): string {
  const output: string[] = [];
  let open: readonly Mark[] = [];
  const switchMarks = (marks: readonly Mark[]) => {
    let same = 0;
    while (marks[same] && open[same]?.eq(marks[same] as Mark)) same += 1;
    for (const { type } of open.slice(same).reverse()) output.push(`</${type.name}>`);
    for (const each of marks.slice(same)) output.push(`<${each.type.name}${serializeAttributes(each)}>`);
    open = marks;
  };
  line.forEach(({ type, attrs, text = '', marks }) => {
    switchMarks(marks);
    if (type.name === 'br') output.push('<br>');
    else if (type.name === 'img') output.push(serializeImage(attrs));
    else if (keepsSpaces) output.push(escapeText(text));
    // Otherwise, browsers would collapse runs of spaces.
    else output.push(escapeText(text.replace(/ (?= )/g, '\u00a0')));
  });
  switchMarks([]);
  return output.join('');
}

function serializeAttributes({ attrs }: Mark): string {
  return Object.entries(attrs)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => (value === '' ? ` ${name}` : ` ${name}="${escapeAttribute(value)}"`))
    .join('');
}

function serializeImage({ attachment, alt }: Node['attrs']): string {
  return `<img src="${buildAttachmentUrl(attachment)}" alt="${escapeAttribute(alt)}">`;
}

function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;');
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\u00a0', '&nbsp;');
}
