import type { EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { SAFE_LINK } from '../../../kernel/rich-text/safe-attribute.ts';
import { schema } from './schema.ts';

const linkMark = schema.marks.a as (typeof schema.marks)[string];

function findLinkAtSelection({ selection: { $from, from, to }, doc }: EditorState) {
  const link =
    linkMark.isInSet($from.marks()) ?? ($from.nodeAfter && linkMark.isInSet($from.nodeAfter.marks));
  if (!link) return null;
  const range = { from, to };
  doc.nodesBetween($from.start(), $from.end(), (node, at) => {
    if (!link.isInSet(node.marks)) return;
    if (at <= range.from && at + node.nodeSize >= range.from) range.from = at;
    if (at <= range.to && at + node.nodeSize >= range.to) range.to = at + node.nodeSize;
  });
  return { href: String(link.attrs.href ?? ''), ...range };
}

function addUrlScheme(typed: string): string {
  const text = typed.trim();
  if (text === '' || SAFE_LINK.test(text)) return text;
  return /^[^\s/:]+@[^\s/:]+$/.test(text) ? `mailto:${text}` : `https://${text}`;
}

/** The URL field is outside the form so that Enter doesn't submit the form. */
export function enableLinkField(container: HTMLElement) {
  const row = container.querySelector<HTMLElement>('.link-row');
  const field = row?.querySelector('input');
  const finish = (view: EditorView, address: string | null) => {
    if (row) row.hidden = true;
    view.focus();
    if (address !== null) setLink(view, addUrlScheme(address));
  };
  return {
    isOn: (state: EditorState) => findLinkAtSelection(state) !== null,
    open({ state }: EditorView) {
      if (!row || !field) return;
      row.hidden = false;
      field.value = findLinkAtSelection(state)?.href ?? '';
      field.select();
    },
    listen(view: EditorView) {
      row?.addEventListener('keydown', (event) => {
        if (event.key === 'Escape') finish(view, null);
        else if (event.key === 'Enter' && event.target === field) finish(view, field?.value ?? '');
        else return;
        event.preventDefault();
        event.stopPropagation();
      });
      row?.addEventListener('click', ({ target }) => {
        const { link: chosen } = target instanceof HTMLElement ? target.dataset : {};
        if (chosen === 'set') finish(view, field?.value ?? '');
        if (chosen === 'remove') finish(view, '');
      });
    },
  };
}

function setLink({ state, dispatch }: EditorView, href: string) {
  const { from, to } = findLinkAtSelection(state) ?? state.selection;
  const { tr } = state;
  if (from === to && href !== '') tr.insertText(href, from);
  const end = tr.mapping.map(to);
  tr.removeMark(from, end, linkMark);
  if (href !== '') tr.addMark(from, end, linkMark.create({ href }));
  dispatch(tr.removeStoredMark(linkMark));
}
