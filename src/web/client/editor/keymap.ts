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
import { editorTools, getNodeType, leaveList } from './commands.ts';
import { schema } from './schema.ts';

const headingLevels = [1, 2, 3, 4, 5, 6];
const listItemType = getNodeType('li');

const splitBlock = splitBlockAs((node, atEnd) => ({
  type: atEnd && node.type.name.startsWith('h') ? getNodeType('p') : node.type,
}));

const leaveEmptyItem: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const isEmptyItem =
    empty && $from.parent.content.size === 0 && $from.depth > 1 && $from.node(-1).type === listItemType;
  return isEmptyItem ? leaveList(state, dispatch) : false;
};

const insertLineBreak: Command = chainCommands(exitCode, (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(schema.node('br')).scrollIntoView());
  return true;
});

function getToolCommand(name: string): Command {
  return editorTools[name]?.run ?? (() => false);
}

function buildToggleCommand(tag: string): Command {
  const type = schema.marks[tag];
  return type ? toggleMark(type) : () => false;
}

/** Tab has no binding, because it must move focus out of the field. */
export function buildEditorPlugins(save: () => void): Plugin[] {
  return [
    keymap({
      'Mod-b': getToolCommand('bold'),
      'Mod-i': getToolCommand('italic'),
      'Mod-u': buildToggleCommand('u'),
      'Mod-e': getToolCommand('code'),
      'Mod-Shift-x': buildToggleCommand('s'),
      'Mod-Shift-7': getToolCommand('numbers'),
      'Mod-Shift-8': getToolCommand('bullets'),
      'Mod-Shift-9': getToolCommand('quote'),
      'Mod-Alt-0': setBlockType(getNodeType('p')),
      ...Object.fromEntries(
        headingLevels.map((size) => [`Mod-Alt-${size}`, setBlockType(getNodeType(`h${size}`))]),
      ),
      'Mod-]': sinkListItem(listItemType),
      'Mod-[': liftListItem(listItemType),
      'Mod-z': undo,
      'Mod-y': redo,
      'Mod-Shift-z': redo,
      'Shift-Enter': insertLineBreak,
      'Mod-Enter': () => {
        save();
        return true;
      },
      Enter: chainCommands(
        newlineInCode,
        splitListItem(listItemType),
        leaveEmptyItem,
        createParagraphNear,
        liftEmptyBlock,
        splitBlock,
      ),
    }),
    keymap(baseKeymap),
    startParagraphPlugin,
    inputRules({
      rules: [
        buildListRule(/^\s*[-*]\s$/, 'bullets'),
        buildListRule(/^\s*1[.)]\s$/, 'numbers'),
        wrappingInputRule(/^\s*>\s$/, getNodeType('blockquote')),
        textblockTypeInputRule(/^```$/, getNodeType('pre')),
        ...headingLevels.map((size) =>
          textblockTypeInputRule(new RegExp(`^#{${size}}\\s$`), getNodeType(`h${size}`)),
        ),
      ],
    }),
  ];
}

const startParagraphPlugin = new Plugin({
  appendTransaction: (_transactions, _before, { doc, tr }) =>
    doc.childCount === 1 && doc.firstChild?.type === getNodeType('line') && doc.firstChild.content.size === 0
      ? tr.setNodeMarkup(0, getNodeType('p'))
      : null,
});

function buildListRule(begins: RegExp, tool: string): InputRule {
  return new InputRule(begins, (state, _match, start, end) => {
    const { $from } = state.selection;
    if ($from.depth !== 1 || $from.parent.type.spec.code) return null;
    let tr = state.tr.delete(start, end);
    getToolCommand(tool)(state.apply(tr), (wrapped) => {
      for (const step of wrapped.steps) tr = tr.step(step);
    });
    return tr;
  });
}
