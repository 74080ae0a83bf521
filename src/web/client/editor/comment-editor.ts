// Buttons and keys that insert Markdown into a comment. Loaded when a comment field first gets the focus.
import { buildImageMarkdown } from '../../../kernel/rich-text/attachment-images.ts';
import { attachFiles, splitFiles, toImageAlt, uploadImage } from '../image-upload.ts';
import { buildUploadMarker } from '../upload-marker.ts';
import { enableToolbarKeys } from './toolbar-keys.ts';

type ToolAction = (field: HTMLTextAreaElement) => void;
type MarkdownTool = readonly [icon: string, label: string, keys: string | null, run: ToolAction];

const tools: readonly MarkdownTool[] = [
  ['bold', 'Bold', 'Control+B', (field) => toggleMark(field, '**')],
  ['italic', 'Italic', 'Control+I', (field) => toggleMark(field, '*')],
  ['code', 'Code', 'Control+E', toggleCode],
  ['link', 'Link', null, insertLink],
  ['list', 'List', 'Control+Shift+8', (field) => toggleLinePrefixes(field, /^[-*+] /, () => '- ')],
  [
    'list-ordered',
    'Numbered list',
    'Control+Shift+7',
    (field) => toggleLinePrefixes(field, /^\d+[.)] /, (index) => `${index + 1}. `),
  ],
  ['text-quote', 'Quote', 'Control+Shift+9', (field) => toggleLinePrefixes(field, /^> /, () => '> ')],
  ['paperclip', 'Attach files', null, selectFiles],
];
const toolsByKey: Readonly<Record<string, MarkdownTool | undefined>> = {
  KeyB: tools[0],
  KeyI: tools[1],
  KeyE: tools[2],
};
const toolsByShiftedKey: Readonly<Record<string, MarkdownTool | undefined>> = {
  Digit8: tools[4],
  Digit7: tools[5],
  Digit9: tools[6],
};

export function enhanceField(field: HTMLTextAreaElement) {
  const bar = document.getElementById(`${field.id}-tools`);
  if (bar) showTools(bar);
  field.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const { ctrlKey, metaKey, altKey, shiftKey, key, code } = event;
    if ((ctrlKey || metaKey) && !altKey) {
      const [, , , run] = (shiftKey ? toolsByShiftedKey : toolsByKey)[code] ?? [];
      if (!run) return;
      run(field);
    } else if (key !== 'Enter' || shiftKey || altKey || !continueList(field)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  field.addEventListener('paste', (event) => {
    const { clipboardData } = event;
    const text = clipboardData?.getData('text/plain') ?? '';
    if (text.trim() === '' && clipboardData?.files.length) insertFiles(field, clipboardData.files);
    else if (!/^https?:\/\/\S+$/.test(text) || !linkSelection(field, text)) return;
    event.preventDefault();
  });
  field.addEventListener('drop', (event) => {
    const files = event.dataTransfer?.files;
    if (!files?.length) return;
    event.preventDefault();
    if (document.activeElement !== field) field.setSelectionRange(field.value.length, field.value.length);
    insertFiles(field, files);
  });
}

function showTools(bar: HTMLElement) {
  bar.hidden = false;
  if (bar.childElementCount > 0) return;
  const icons = document.querySelector('.icon use')?.getAttribute('href')?.split('#')[0] ?? '';
  const buttons = tools.map(([icon, label, keys, run]) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'quiet';
    button.title = label;
    button.ariaLabel = label;
    if (keys) button.setAttribute('aria-keyshortcuts', keys);
    button.append(renderIcon(`${icons}#${icon}`));
    button.addEventListener('click', () => {
      // Looked up on each click, because a refresh can replace the field without replacing the buttons.
      const field = bar.closest('form')?.querySelector('textarea');
      if (field) run(field);
    });
    return button;
  });
  bar.role = 'toolbar';
  bar.ariaLabel = 'Formatting';
  bar.append(...buttons);
  enableToolbarKeys(bar, buttons);
}

function renderIcon(href: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.classList.add('icon');
  for (const name of ['width', 'height']) svg.setAttribute(name, '16');
  svg.ariaHidden = 'true';
  const use = document.createElementNS(svg.namespaceURI, 'use');
  use.setAttribute('href', href);
  svg.append(use);
  return svg;
}

/** Inserts the text as if the person had typed it, so that the browser can undo it and other modules notice it. */
function replaceText(field: HTMLTextAreaElement, from: number, to: number, text: string) {
  field.focus();
  field.setSelectionRange(from, to);
  const isTyped =
    from === to && text === ''
      ? true
      : document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
  if (isTyped) return;
  field.setRangeText(text, from, to, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

function readSelection({ value, selectionStart: from, selectionEnd: to }: HTMLTextAreaElement) {
  return { value, from, to, selected: value.slice(from, to) };
}

function toggleMark(field: HTMLTextAreaElement, mark: string) {
  const { value, from, to, selected } = readSelection(field);
  const size = mark.length;
  const isMarked = value.slice(0, from).endsWith(mark) && value.slice(to).startsWith(mark);
  if (isMarked) {
    replaceText(field, from - size, to + size, selected);
    field.setSelectionRange(from - size, to - size);
  } else {
    replaceText(field, from, to, mark + selected + mark);
    field.setSelectionRange(from + size, to + size);
  }
}

function toggleCode(field: HTMLTextAreaElement) {
  const { value, from, to, selected } = readSelection(field);
  if (!selected.includes('\n')) {
    toggleMark(field, '`');
    return;
  }
  const start = from === 0 || value[from - 1] === '\n' ? '' : '\n';
  replaceText(field, from, to, `${start}\`\`\`\n${selected}\n\`\`\``);
}

const PLACEHOLDER_URL = 'https://';

function insertLink(field: HTMLTextAreaElement) {
  const { from, to, selected } = readSelection(field);
  replaceText(field, from, to, `[${selected}](${PLACEHOLDER_URL})`);
  const at = selected === '' ? from + 1 : from + selected.length + 3;
  field.setSelectionRange(at, selected === '' ? at : at + PLACEHOLDER_URL.length);
}

function linkSelection(field: HTMLTextAreaElement, url: string): boolean {
  const { from, to, selected } = readSelection(field);
  if (selected.trim() === '' || /[\n[\]]/.test(selected)) return false;
  replaceText(field, from, to, `[${selected}](${url})`);
  return true;
}

function toggleLinePrefixes(
  field: HTMLTextAreaElement,
  pattern: RegExp,
  toPrefix: (index: number) => string,
) {
  const { value, from, to } = readSelection(field);
  const start = value.lastIndexOf('\n', from - 1) + 1;
  const nextBreak = value.indexOf('\n', Math.max(from, to - 1));
  const end = nextBreak < 0 ? value.length : nextBreak;
  const lines = value.slice(start, end).split('\n');
  const isPrefixed = lines.every((line) => pattern.test(line));
  const changed = lines.map((line, index) =>
    isPrefixed ? line.replace(pattern, '') : toPrefix(index) + line.replace(pattern, ''),
  );
  const text = changed.join('\n');
  replaceText(field, start, end, text);
  if (from === to) field.setSelectionRange(start + text.length, start + text.length);
  else field.setSelectionRange(start, start + text.length);
}

const LIST_PREFIX_PATTERN = /^(\s*)(?:([-*+] |> )|(\d{1,6})([.)] ))/;

function continueList(field: HTMLTextAreaElement): boolean {
  const { value, from, to } = readSelection(field);
  const start = value.lastIndexOf('\n', from - 1) + 1;
  const [prefix, indent, bullet, number, dot] = LIST_PREFIX_PATTERN.exec(value.slice(start, from)) ?? [];
  if (from !== to || prefix === undefined) return false;
  const isEmpty = start + prefix.length === from && (value[from] ?? '\n') === '\n';
  if (isEmpty) replaceText(field, start, from, '');
  else replaceText(field, from, to, `\n${indent}${bullet ?? `${Number(number) + 1}${dot}`}`);
  return true;
}

function selectFiles() {
  document.querySelector<HTMLInputElement>('form[data-uploads] input[type="file"]')?.click();
}

function insertFiles(field: HTMLTextAreaElement, files: Iterable<File>) {
  const { images, others } = splitFiles(files);
  attachFiles(others);
  for (const file of images) insertImage(field, file);
}

function insertImage(field: HTMLTextAreaElement, file: File) {
  const { value, from, to } = readSelection(field);
  const marker = buildUploadMarker(file.name, value);
  const replaceMarker = (text: string) => {
    // A refresh can replace the field.
    const current = document.getElementById(field.id);
    const at = current instanceof HTMLTextAreaElement ? current.value.indexOf(marker) : -1;
    if (!(current instanceof HTMLTextAreaElement) || at < 0) return;
    const { selectionStart, selectionEnd } = current;
    const end = at + marker.length;
    // The mode `preserve` would select the text if the cursor was directly after the marker.
    const move = (place: number) => (place <= at ? place : at + text.length + Math.max(0, place - end));
    current.setRangeText(text, at, end);
    current.setSelectionRange(move(selectionStart), move(selectionEnd));
    current.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const row = uploadImage({
    file,
    field,
    list: `#${field.id}-images`,
    focus: () => document.getElementById(field.id)?.focus(),
    onEnd: (attachment) =>
      replaceMarker(attachment === null ? '' : buildImageMarkdown(toImageAlt(file), attachment)),
  });
  if (row) replaceText(field, from, to, marker);
}
