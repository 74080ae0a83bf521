import { history } from 'prosemirror-history';
import type { Node } from 'prosemirror-model';
import { EditorState, Selection } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { parseRichText, serializeRichText } from './html.ts';
import { enableImages } from './images.ts';
import { toInertMarkup } from './inert-markup.ts';
import { buildEditorPlugins } from './keymap.ts';
import { enableToolbar } from './toolbar.ts';

export { parseRichText, serializeRichText };

/** The text area remains the form field. Every change is written to it as HTML, without an `input` event. */
export function enhanceField(field: HTMLTextAreaElement) {
  const container = document.getElementById(`${field.id}-editor`);
  if (!container) return;
  let lastHtml = field.value;
  const readDisplayedHtml = () => container.closest('.section')?.querySelector(':scope > .rich')?.innerHTML;
  let lastDisplayedHtml = readDisplayedHtml();
  const images = enableImages(field, container);
  const plugins = [history(), images.plugin, ...buildEditorPlugins(() => field.form?.requestSubmit())];
  const createState = (doc: Node) => EditorState.create({ doc, plugins });
  const tools = enableToolbar(container, images.selectFiles);
  const view = new EditorView(container, {
    state: createState(parseRichText(lastHtml)),
    attributes: {
      class: 'rich',
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': field.labels[0]?.textContent ?? '',
      'aria-describedby': `${field.id}-keys`,
    },
    nodeViews: images.nodeViews,
    clipboardSerializer: images.clipboardSerializer,
    transformPastedHTML: (html) => toInertMarkup(html, images.filesUrl),
    dispatchTransaction(transaction) {
      view.updateState(view.state.apply(transaction));
      tools.show(view);
      if (!transaction.docChanged) return;
      lastHtml = serializeRichText(view.state.doc);
      field.value = lastHtml;
    },
  });
  tools.listen(view);
  for (const label of field.labels) label.addEventListener('click', () => view.focus());
  const hadFocus =
    document.activeElement === field || field.closest('details')?.contains(document.activeElement);
  container.hidden = false;
  if (hadFocus) {
    view.dispatch(view.state.tr.setSelection(Selection.atEnd(view.state.doc)));
    view.focus();
  }
  document.addEventListener('edgework:morphed', () => {
    container.classList.toggle('other', readDisplayedHtml() !== lastDisplayedHtml);
    if (field.value === lastHtml) return;
    lastHtml = field.value;
    view.updateState(createState(parseRichText(lastHtml)));
    tools.show(view);
    lastDisplayedHtml = readDisplayedHtml();
    container.classList.remove('other');
  });
}
