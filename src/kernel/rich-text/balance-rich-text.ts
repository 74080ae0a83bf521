import { readTokens } from './html-tokens.ts';
import { voidTags } from './safe-tags.ts';

/** Closes open tags and drops unmatched end tags, so that stored text can't break out of its element. */
export function balanceRichText(html: string): string {
  const written: string[] = [];
  const open: string[] = [];
  let from = 0;
  readTokens(
    html,
    { decodeEntities: false },
    {
      ontext: (start, end) => written.push(html.slice(start, end)),
      onopentagname(start, end) {
        from = start - 1;
        const name = html.slice(start, end);
        if (!voidTags.has(name)) open.push(name);
      },
      onopentagend: (end) => written.push(html.slice(from, end + 1)),
      onselfclosingtag(end) {
        written.push(html.slice(from, end + 1));
      },
      onclosetag(start, end) {
        const name = html.slice(start, end);
        const at = open.lastIndexOf(name);
        if (at < 0) return;
        for (const each of open.splice(at).reverse()) written.push(`</${each}>`);
      },
    },
  );
  for (const each of open.reverse()) written.push(`</${each}>`);
  return written.join('');
}
