import { assets } from '../page-model/assets.ts';
import { TextArea, type TextAreaProps } from './field.tsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';

/** src/web/client/editor/commands.ts implements these buttons. */
const toolbarButtons: readonly (readonly (readonly [
  tool: string,
  icon: IconName,
  label: string,
  keys?: string,
])[])[] = [
  [
    ['bold', 'bold', 'Bold', 'Control+B'],
    ['italic', 'italic', 'Italic', 'Control+I'],
    ['code', 'code', 'Code', 'Control+E'],
    ['link', 'link', 'Link'],
  ],
  [
    ['heading', 'heading-2', 'Heading', 'Control+Alt+2'],
    ['subheading', 'heading-3', 'Subheading', 'Control+Alt+3'],
    ['bullets', 'list', 'List', 'Control+Shift+8'],
    ['numbers', 'list-ordered', 'Numbered list', 'Control+Shift+7'],
    ['quote', 'text-quote', 'Quote', 'Control+Shift+9'],
  ],
  [
    ['undo', 'undo-2', 'Undo', 'Control+Z'],
    ['redo', 'redo-2', 'Redo', 'Control+Y'],
  ],
];

interface RichTextFieldProps extends Omit<TextAreaProps, 'mentions' | 'editor' | 'hint'> {
  /** The URL of the files among which the editor stores images. Without it, the text can't contain images. */
  filesUrl?: string;
}

export function RichTextField({ filesUrl, ...props }: RichTextFieldProps) {
  const { id = props.name } = props;
  return (
    <div class="rich-field">
      <TextArea
        {...props}
        module={assets.editor}
        hint="Plain text, or HTML such as <strong>, <ul> and <a href>."
      />
      <div id={`${id}-editor`} class="editor" data-files={filesUrl} data-kept hidden>
        <div role="toolbar" aria-label="Formatting" class="tools">
          {toolbarButtons.map((group) => (
            <span>
              {group.map(([tool, icon, label, keys]) => (
                <button
                  type="button"
                  class="quiet"
                  data-tool={tool}
                  title={label}
                  aria-label={label}
                  aria-keyshortcuts={keys}
                >
                  <Icon name={icon} />
                </button>
              ))}
            </span>
          ))}
          {filesUrl === undefined ? null : (
            <span>
              <button type="button" class="quiet" data-tool="image" title="Image" aria-label="Image">
                <Icon name="image" />
              </button>
            </span>
          )}
        </div>
        <div class="link-row" hidden>
          <input form="" aria-label="Link URL" placeholder="https://…" />
          <button type="button" class="plain" data-link="set">
            Set
          </button>
          <button type="button" class="quiet" data-link="remove">
            Remove
          </button>
        </div>
        {filesUrl === undefined ? null : (
          <div class="link-row alt-row" hidden>
            <input form="" aria-label="Alt text" placeholder="Describe the image" />
            <button type="button" class="quiet">
              Remove image
            </button>
          </div>
        )}
        <p class="off-screen" id={`${id}-keys`}>
          Press Control+Enter to save, Escape to leave the editor, and Shift+Tab for formatting.
        </p>
      </div>
    </div>
  );
}
