import { DOMSerializer, type Node } from 'prosemirror-model';
import { type EditorState, NodeSelection, Plugin, PluginKey } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView, type NodeViewConstructor } from 'prosemirror-view';
import { attachFiles, splitFiles, toImageAlt, uploadImage } from '../image-upload.ts';
import { getNodeType } from './commands.ts';
import { schema } from './schema.ts';

interface PlaceChange {
  readonly add?: { readonly key: string; readonly at: number; readonly element: HTMLElement };
  readonly remove?: string;
}

/** The places of images that are being uploaded. They move when the text around them changes. */
const placesKey = new PluginKey<DecorationSet>('images');
let uploadCount = 0;

/** `filesUrl` is the URL of the task's files. Without it, the text belongs to no task, and can't show images. */
export function enableImages(field: HTMLTextAreaElement, container: HTMLElement) {
  const filesUrl = container.dataset.files;
  const toSource = (node: Node) => `${filesUrl}/${node.attrs.attachment}`;
  const insertFiles = (view: EditorView, files: Iterable<File>, at: number) => {
    const { images, others } = splitFiles(files);
    attachFiles(others);
    for (const file of images) insertImage(view, field, file, at);
  };
  return {
    filesUrl,
    plugin: new Plugin<DecorationSet>({
      key: placesKey,
      state: { init: () => DecorationSet.empty, apply: updatePlaces },
      view: (view) => enableDescriptionRow(view, container),
      props: {
        decorations: (state) => placesKey.getState(state),
        handlePaste(view, { clipboardData }) {
          const files = clipboardData?.files;
          // Office programs also copy text as an image.
          if (!files?.length || clipboardData?.getData('text/plain').trim()) return false;
          view.dispatch(view.state.tr.deleteSelection());
          insertFiles(view, files, view.state.selection.from);
          return true;
        },
        handleDrop(view, event) {
          const files = event.dataTransfer?.files;
          if (!files?.length || view.dragging) return false;
          const place = view.posAtCoords({ left: event.clientX, top: event.clientY });
          insertFiles(view, files, place?.pos ?? view.state.selection.from);
          return true;
        },
      },
    }),
    nodeViews: { img: buildImageView(filesUrl === undefined ? null : toSource) },
    clipboardSerializer: new DOMSerializer(
      {
        ...DOMSerializer.nodesFromSchema(schema),
        ...(filesUrl !== undefined && {
          img: (node: Node) => [
            'img',
            { src: new URL(toSource(node), location.href).href, alt: node.attrs.alt },
          ],
        }),
      },
      DOMSerializer.marksFromSchema(schema),
    ),
    selectFiles(view: EditorView) {
      const input = document.createElement('input');
      Object.assign(input, { type: 'file', accept: 'image/*', multiple: true });
      input.addEventListener('change', () => {
        insertFiles(view, input.files ?? [], view.state.selection.from);
        view.focus();
      });
      input.click();
    },
  };
}

function insertImage(view: EditorView, field: HTMLTextAreaElement, file: File, at: number) {
  uploadCount += 1;
  const key = `image-${uploadCount}`;
  const changePlace = (change: PlaceChange) => view.state.tr.setMeta(placesKey, change);
  const row = uploadImage({
    file,
    field,
    list: null,
    focus: () => view.focus(),
    onEnd(attachment) {
      if (view.isDestroyed) return;
      const place = findPlace(view.state, key);
      const transaction = changePlace({ remove: key });
      if (attachment !== null && place !== null)
        transaction.insert(place, getNodeType('img').create({ attachment, alt: toImageAlt(file) }));
      view.dispatch(transaction);
    },
  });
  if (row) view.dispatch(changePlace({ add: { key, at, element: row.element } }));
}

function findPlace(state: EditorState, key: string): number | null {
  const [place] = placesKey.getState(state)?.find(undefined, undefined, (spec) => spec.key === key) ?? [];
  return place?.from ?? null;
}

function updatePlaces(transaction: EditorState['tr'], places: DecorationSet): DecorationSet {
  const moved = places.map(transaction.mapping, transaction.doc);
  const { add, remove }: PlaceChange = transaction.getMeta(placesKey) ?? {};
  if (add) {
    add.element.classList.add('image-upload');
    add.element.contentEditable = 'false';
    const spec = { key: add.key, side: -1, stopEvent: () => true, ignoreSelection: true };
    return moved.add(transaction.doc, [Decoration.widget(add.at, add.element, spec)]);
  }
  return moved.remove(moved.find(undefined, undefined, ({ key }) => key === remove));
}

function buildImageView(toSource: ((node: Node) => string) | null): NodeViewConstructor {
  return (shown) => {
    let node = shown;
    if (!toSource) {
      const dom = document.createElement('span');
      Object.assign(dom, {
        className: 'missing-image',
        textContent: node.attrs.alt || 'Image not available',
      });
      return { dom };
    }
    const dom = document.createElement('img');
    Object.assign(dom, { src: toSource(node), alt: node.attrs.alt });
    return {
      dom,
      // Otherwise, the browser would load the image again whenever its description changes.
      update(next) {
        if (next.type !== node.type || next.attrs.attachment !== node.attrs.attachment) return false;
        node = next;
        dom.alt = node.attrs.alt;
        return true;
      },
    };
  };
}

/** A field for the description of the selected image. */
function enableDescriptionRow(view: EditorView, container: HTMLElement) {
  const row = container.querySelector<HTMLElement>('.alt-row');
  const input = row?.querySelector('input');
  const getImage = () => {
    const { selection } = view.state;
    return selection instanceof NodeSelection && selection.node.type === getNodeType('img')
      ? selection
      : null;
  };
  input?.addEventListener('input', () => {
    const image = getImage();
    if (!image) return;
    const { from, node } = image;
    const { tr } = view.state;
    tr.setNodeMarkup(from, null, { ...node.attrs, alt: input.value });
    view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, from)));
  });
  input?.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    view.focus();
  });
  row?.querySelector('button')?.addEventListener('click', () => {
    if (getImage()) view.dispatch(view.state.tr.deleteSelection());
    view.focus();
  });
  return {
    update() {
      const image = getImage();
      if (row) row.hidden = image === null;
      if (input && image && input !== document.activeElement) input.value = image.node.attrs.alt;
    },
  };
}
