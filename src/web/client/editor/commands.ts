import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import { redo, undo } from 'prosemirror-history';
import type { NodeType } from 'prosemirror-model';
import { liftListItem, wrapInList } from 'prosemirror-schema-list';
import type { Command, EditorState } from 'prosemirror-state';
import { schema } from './schema.ts';

const { nodes, marks } = schema as { nodes: Record<string, NodeType>; marks: typeof schema.marks };

export function getNodeType(name: string): NodeType {
  const type = nodes[name];
  if (!type) throw new Error(`Unknown node type: ${name}`);
  return type;
}

export interface EditorTool {
  readonly run: Command;
  readonly isOn?: (state: EditorState) => boolean;
}

export const editorTools: Readonly<Record<string, EditorTool>> = {
  bold: buildMarkTool(['strong', 'b']),
  italic: buildMarkTool(['em', 'i']),
  code: buildMarkTool(['code']),
  heading: buildBlockTool('h2'),
  subheading: buildBlockTool('h3'),
  bullets: buildListTool('ul'),
  numbers: buildListTool('ol'),
  quote: {
    run: (state, dispatch) =>
      (isInsideBlock(state, 'blockquote') ? lift : wrapIn(getNodeType('blockquote')))(state, dispatch),
    isOn: (state) => isInsideBlock(state, 'blockquote'),
  },
  undo: { run: undo },
  redo: { run: redo },
};

/** Adds the first tag's mark, or removes the mark of any of these tags. Older text uses `b` instead of `strong`. */
function buildMarkTool(tags: readonly string[]): EditorTool {
  const types = tags.map((tag) => marks[tag]).filter((type) => type !== undefined);
  const findActiveMark = (state: EditorState) =>
    types.find((type) => {
      const { from, to, empty, $from } = state.selection;
      return empty
        ? type.isInSet(state.storedMarks ?? $from.marks()) !== undefined
        : state.doc.rangeHasMark(from, to, type);
    });
  return {
    run: (state, dispatch) => {
      const type = findActiveMark(state) ?? types[0];
      return type ? toggleMark(type)(state, dispatch) : false;
    },
    isOn: (state) => findActiveMark(state) !== undefined,
  };
}

function buildBlockTool(tag: string): EditorTool {
  const isOn = ({ selection: { $from } }: EditorState) => $from.parent.type === getNodeType(tag);
  return {
    run: (state, dispatch) => setBlockType(getNodeType(isOn(state) ? 'p' : tag))(state, dispatch),
    isOn,
  };
}

function findEnclosingList({ selection: { $from } }: EditorState): { type: NodeType; at: number } | null {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const { type } = $from.node(depth);
    if (type === getNodeType('ul') || type === getNodeType('ol')) return { type, at: $from.before(depth) };
  }
  return null;
}

/** Converts paragraphs to lines, because list items contain text directly. */
function buildListTool(tag: 'ul' | 'ol'): EditorTool {
  return {
    run: (state, dispatch) => {
      const enclosingList = findEnclosingList(state);
      if (enclosingList?.type === getNodeType(tag)) return leaveList(state, dispatch);
      if (enclosingList) {
        dispatch?.(state.tr.setNodeMarkup(enclosingList.at, getNodeType(tag)));
        return true;
      }
      return wrapInList(getNodeType(tag))(
        state,
        dispatch &&
          ((tr) => dispatch(tr.setBlockType(tr.selection.from, tr.selection.to, getNodeType('line')))),
      );
    },
    isOn: (state) => findEnclosingList(state)?.type === getNodeType(tag),
  };
}

export const leaveList: Command = (state, dispatch) =>
  liftListItem(getNodeType('li'))(
    state,
    dispatch &&
      ((tr) => {
        const { from, to, $from } = tr.selection;
        const isOut =
          findEnclosingList(state.apply(tr)) === null && $from.parent.type === getNodeType('line');
        dispatch(isOut ? tr.setBlockType(from, to, getNodeType('p')) : tr);
      }),
  );

function isInsideBlock({ selection: { $from } }: EditorState, tag: string): boolean {
  for (let depth = $from.depth; depth > 0; depth -= 1) if ($from.node(depth).type.name === tag) return true;
  return false;
}
