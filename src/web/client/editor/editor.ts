import { history } from 'prosemirror-history';
import type { Node } from 'prosemirror-model';
import { EditorState, Selection } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { parseRichText, serializeRichText } from './html.ts';
import { toInertMarkup } from './inert-markup.ts';
import { buildEditorPlugins } from './keymap.ts';
import { enableToolbar } from './toolbar.ts';

export { parseRichText, serializeRichText };

/** The text area remains the form field. Every change is written to it as HTML, as if the person had typed it. */
export function enhanceField(field: HTMLTextAreaElement) {
  const place = document.getElementById(`${field.id}-editor`);
  if (!place) return;
  let known = field.value;
  const readDisplayedHtml = () => place.closest('.section')?.querySelector(':scope > .rich')?.innerHTML;
  let seen = readDisplayedHtml();
  const plugins = [history(), ...buildEditorPlugins(() => field.form?.requestSubmit())];
  const createState = (doc: Node) => EditorState.create({ doc, plugins });
  const tools = enableToolbar(place);
  const view = new EditorView(place, {
    state: createState(parseRichText(known)),
    attributes: {
      class: 'rich',
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': field.labels[0]?.textContent ?? '',
      'aria-describedby': `${field.id}-keys`,
    },
    transformPastedHTML: toInertMarkup,
    dispatchTransaction(transaction) {
      view.updateState(view.state.apply(transaction));
      tools.show(view);
      if (!transaction.docChanged) return;
      known = serializeRichText(view.state.doc);
      field.value = known;
    },
  });
  tools.listen(view);
  for (const label of field.labels) label.addEventListener('click', () => view.focus());
  const hadFocus =
    document.activeElement === field || field.closest('details')?.contains(document.activeElement);
  place.hidden = false;
  if (hadFocus) {
    view.dispatch(view.state.tr.setSelection(Selection.atEnd(view.state.doc)));
    view.focus();
  }
  document.addEventListener('edgework:morphed', () => {
    place.classList.toggle('other', readDisplayedHtml() !== seen);
    if (field.value === known) return;
    known = field.value;
    view.updateState(createState(parseRichText(known)));
    tools.show(view);
    seen = readDisplayedHtml();
    place.classList.remove('other');
  });
}
