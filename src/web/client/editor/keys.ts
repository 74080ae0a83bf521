import {
  baseKeymap,
  chainCommands,
  createParagraphNear,
  exitCode,
  liftEmptyBlock,
  newlineInCode,
  setBlockType,
  splitBlockAs,
  toggleMark,
} from 'prosemirror-commands';
import { redo, undo } from 'prosemirror-history';
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list';
import { type Command, Plugin } from 'prosemirror-state';
import { getNodeType, leaveList, tools } from './commands.ts';
import { schema } from './schema.ts';

const headings = [1, 2, 3, 4, 5, 6];
const item = getNodeType('li');

/** Enter after a heading starts a paragraph. Other lines keep their type. */
const splitLine = splitBlockAs((node, atEnd) => ({
  type: atEnd && node.type.name.startsWith('h') ? getNodeType('p') : node.type,
}));

const leaveEmptyItem: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const isEmptyItem =
    empty && $from.parent.content.size === 0 && $from.depth > 1 && $from.node(-1).type === item;
  return isEmptyItem ? leaveList(state, dispatch) : false;
};

const breakLine: Command = chainCommands(exitCode, (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(schema.node('br')).scrollIntoView());
  return true;
});

function run(name: string): Command {
  return tools[name]?.run ?? (() => false);
}

function toggle(tag: string): Command {
  const type = schema.marks[tag];
  return type ? toggleMark(type) : () => false;
}

/** Tab is not bound, because it must move the focus out of the field. */
export function buildEditorKeys(save: () => void): Plugin[] {
  return [
    keymap({
      'Mod-b': run('bold'),
      'Mod-i': run('italic'),
      'Mod-u': toggle('u'),
      'Mod-e': run('code'),
      'Mod-Shift-x': toggle('s'),
      'Mod-Shift-7': run('numbers'),
      'Mod-Shift-8': run('bullets'),
      'Mod-Shift-9': run('quote'),
      'Mod-Alt-0': setBlockType(getNodeType('p')),
      ...Object.fromEntries(
        headings.map((size) => [`Mod-Alt-${size}`, setBlockType(getNodeType(`h${size}`))]),
      ),
      'Mod-]': sinkListItem(item),
      'Mod-[': liftListItem(item),
      'Mod-z': undo,
      'Mod-y': redo,
      'Mod-Shift-z': redo,
      'Shift-Enter': breakLine,
      'Mod-Enter': () => {
        save();
        return true;
      },
      Enter: chainCommands(
        newlineInCode,
        splitListItem(item),
        leaveEmptyItem,
        createParagraphNear,
        liftEmptyBlock,
        splitLine,
      ),
    }),
    keymap(baseKeymap),
    beginsWithParagraph,
    inputRules({
      rules: [
        listRule(/^\s*[-*]\s$/, 'bullets'),
        listRule(/^\s*1[.)]\s$/, 'numbers'),
        wrappingInputRule(/^\s*>\s$/, getNodeType('blockquote')),
        textblockTypeInputRule(/^```$/, getNodeType('pre')),
        ...headings.map((size) =>
          textblockTypeInputRule(new RegExp(`^#{${size}}\\s$`), getNodeType(`h${size}`)),
        ),
      ],
    }),
  ];
}

/** Starts a paragraph when someone types into an empty document. */
const beginsWithParagraph = new Plugin({
  appendTransaction: (_transactions, _before, { doc, tr }) =>
    doc.childCount === 1 && doc.firstChild?.type === getNodeType('line') && doc.firstChild.content.size === 0
      ? tr.setNodeMarkup(0, getNodeType('p'))
      : null,
});

function listRule(begins: RegExp, tool: string): InputRule {
  return new InputRule(begins, (state, _match, start, end) => {
    const { $from } = state.selection;
    if ($from.depth !== 1 || $from.parent.type.spec.code) return null;
    let tr = state.tr.delete(start, end);
    run(tool)(state.apply(tr), (wrapped) => {
      for (const step of wrapped.steps) tr = tr.step(step);
    });
    return tr;
  });
}
