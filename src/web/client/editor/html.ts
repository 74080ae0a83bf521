import { DOMParser, type Mark, type Node } from 'prosemirror-model';
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
    const written: string[] = [];
    line.forEach(({ type, text = '', marks }) => {
      isPlain &&= marks.length === 0;
      written.push(type.name === 'br' ? '\n' : escapeText(text));
    });
    lines.push(written.join(''));
  });
  return isPlain ? lines.join('\n') : null;
}

function serializeBlocks(parent: Node, keepsSpaces = false): string {
  const written: string[] = [];
  parent.forEach((child, _offset, index) => {
    const { name } = child.type;
    if (name === 'line') {
      const isNextLine = index > 0 && parent.child(index - 1).type === child.type;
      written.push(isNextLine ? '<br>' : '', serializeLine(child, keepsSpaces));
      return;
    }
    const tag = name === 'box' ? child.attrs.tag : name;
    written.push(`<${tag}>`);
    if (tag === 'hr') return;
    const keepsThem = keepsSpaces || tag === 'pre';
    const within = child.isTextblock ? serializeLine(child, keepsThem) : serializeBlocks(child, keepsThem);
    // Browsers drop the first line break of a `pre`, so this adds another.
    if (tag === 'pre' && within.startsWith('\n')) written.push('\n');
    written.push(within, `</${tag}>`);
  });
  return written.join('');
}

function serializeLine(line: Node, keepsSpaces: boolean): string {
  const written: string[] = [];
  let open: readonly Mark[] = [];
  const switchMarks = (marks: readonly Mark[]) => {
    let same = 0;
    while (marks[same] && open[same]?.eq(marks[same] as Mark)) same += 1;
    for (const { type } of open.slice(same).reverse()) written.push(`</${type.name}>`);
    for (const each of marks.slice(same)) written.push(`<${each.type.name}${serializeAttributes(each)}>`);
    open = marks;
  };
  line.forEach(({ type, text = '', marks }) => {
    switchMarks(marks);
    if (type.name === 'br') written.push('<br>');
    else if (keepsSpaces) written.push(escapeText(text));
    // Browsers would collapse runs of spaces.
    else written.push(escapeText(text.replace(/ (?= )/g, '\u00a0')));
  });
  switchMarks([]);
  return written.join('');
}

function serializeAttributes({ attrs }: Mark): string {
  return Object.entries(attrs)
    .filter(([, value]) => value !== null)
    .map(([name, value]) =>
      value === '' ? ` ${name}` : ` ${name}="${escapeText(value).replaceAll('"', '&quot;')}"`,
    )
    .join('');
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\u00a0', '&nbsp;');
}
