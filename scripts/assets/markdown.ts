/** Renders the Markdown used in our documents: headings, paragraphs, flat lists, tables, code, links and emphasis. */
export function renderMarkdown(text: string, linkTo: (target: string) => string | null): string {
  const inline = (source: string) => renderInline(source, linkTo);
  return splitBlocks(text)
    .map((block) => renderBlock(block, inline))
    .join('\n');
}

/** Builds the same anchor for a heading as GitHub does. */
export function buildAnchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

export function extractSection(text: string, heading: string): string {
  const level = /^#+/.exec(heading)?.[0].length ?? 0;
  const lines = text.split('\n');
  const from = lines.indexOf(heading);
  if (from < 0) throw new Error(`No heading ${JSON.stringify(heading)}`);
  const length = lines.slice(from + 1).findIndex((line) => new RegExp(`^#{1,${level}} `).test(line));
  return lines.slice(from, length < 0 ? undefined : from + 1 + length).join('\n');
}

type RenderInline = (source: string) => string;

function splitBlocks(text: string): string[] {
  const pieces = text.split(/^(```[\s\S]*?^```$)/m);
  return pieces.flatMap((piece, index) => (index % 2 === 1 ? [piece] : splitText(piece)));
}

function splitText(piece: string): string[] {
  return piece
    .replace(/^(#+ .+)$/gm, '\n\n$1\n\n')
    .split(/\n\s*\n/)
    .map((block) => block.replace(/^\n+|\s+$/g, ''))
    .filter((block) => block !== '');
}

function renderBlock(block: string, inline: RenderInline): string {
  const fenced = /^```\w*\n([\s\S]*?)\n?```$/.exec(block);
  if (fenced) return `<pre tabindex="0"><code>${escapeHtml(fenced[1] ?? '')}</code></pre>`;
  const heading = /^(#+) (.+)$/.exec(block);
  if (heading) {
    const [, marks = '', words = ''] = heading;
    return `<h${marks.length} id="${buildAnchor(words)}">${inline(words)}</h${marks.length}>`;
  }
  if (/^\|/.test(block)) return renderTable(block.split('\n'), inline);
  if (/^[-*] /.test(block)) return renderList('ul', block, /^[-*] /m, inline);
  if (/^\d+\. /.test(block)) return renderList('ol', block, /^\d+\. /m, inline);
  return `<p>${inline(block)}</p>`;
}

function renderList(tag: 'ul' | 'ol', block: string, mark: RegExp, inline: RenderInline): string {
  const items = block.split(new RegExp(mark.source, 'gm')).slice(1);
  return `<${tag}>${items.map((item) => `<li>${inline(item.trim())}</li>`).join('')}</${tag}>`;
}

function renderTable(lines: readonly string[], inline: RenderInline): string {
  const renderCells = (line: string) =>
    line
      .replace(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => inline(cell.trim().replaceAll('\\|', '|')));
  const [head = '', , ...rows] = lines;
  const row = (cells: readonly string[]) => `<tr>${cells.join('')}</tr>`;
  const heads = renderCells(head).map((cell) => (cell === '' ? '<td></td>' : `<th scope="col">${cell}</th>`));
  const body = rows.map((line) => row(renderCells(line).map((cell) => `<td>${cell}</td>`)));
  return `<div class="wide-table" tabindex="0"><table><thead>${row(heads)}</thead><tbody>${body.join('')}</tbody></table></div>`;
}

function renderInline(source: string, linkTo: (target: string) => string | null): string {
  return source
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.startsWith('`') && part.length > 2
        ? // Otherwise, a link in code would become a link on the page.
          `<code>${escapeHtml(part.slice(1, -1)).replaceAll('](', ']&#40;')}</code>`
        : renderEmphasis(part),
    )
    .join('')
    .replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_whole, words: string, target: string) => {
      const url = linkTo(target.replaceAll('&amp;', '&'));
      return url === null ? words : `<a href="${escapeHtml(url)}">${words}</a>`;
    });
}

function renderEmphasis(text: string): string {
  return escapeHtml(text)
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g, '<em>$1</em>');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
