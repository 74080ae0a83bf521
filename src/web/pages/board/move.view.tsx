import { useVisit } from '../../components/context.ts';
import { Form } from '../../components/form.tsx';
import { setQueryParameter } from '../../components/set-query-parameter.ts';
import { type StatusDisplay, StatusRing } from '../../components/status-and-priority.tsx';
import type { ColumnsByStatus } from './columns.ts';

interface MoveFormProps {
  statuses: readonly StatusDisplay[];
  columns: ColumnsByStatus;
  move: number | undefined;
  isManual: boolean;
}

/** Every move of a card submits this form. Without JavaScript, `?move=` opens it as a dialog. */
export function MoveForm({ statuses, columns, move, isManual }: MoveFormProps) {
  const { base, address } = useVisit();
  const choices = (
    <div class="choices">
      {statuses.map(({ value, label }, index) => (
        <button type="submit" class="plain" name="status" value={value}>
          <StatusRing value={value} />
          {label}
          <kbd>{index + 1}</kbd>
        </button>
      ))}
    </div>
  );
  const here = setQueryParameter(address, 'move', null);
  const cards = [...columns.values()].flatMap(({ data }) => data);
  const name = cards.find(({ id }) => id === move)?.name ?? `task ${move}`;
  return (
    <>
      <Form action={`${base}/tasks/0/move`} id="move">
        {['status', 'above', 'below'].map((name) => (
          <input type="hidden" name={name} value="" />
        ))}
      </Form>
      <dialog id="move-dialog" aria-labelledby="move-dialog-name">
        <h2 id="move-dialog-name">Move to…</h2>
        {choices}
        {isManual ? (
          <div class="choices">
            <button type="submit" class="plain" value="up">
              Move up<kbd>Alt ↑</kbd>
            </button>
            <button type="submit" class="plain" value="down">
              Move down<kbd>Alt ↓</kbd>
            </button>
          </div>
        ) : null}
        <form method="dialog">
          <button type="submit" class="quiet">
            Cancel
          </button>
        </form>
      </dialog>
      {move === undefined ? null : (
        <dialog open class="without-script" aria-labelledby="move-name">
          <h2 id="move-name">
            Move <bdi>{name}</bdi> to…
          </h2>
          <Form action={`${base}/tasks/${move}/move`} back={here}>
            {choices}
          </Form>
          {isManual ? <MoveWithinColumnForm id={move} columns={columns} /> : null}
          <a href={here}>Cancel</a>
        </dialog>
      )}
    </>
  );
}

function MoveWithinColumnForm({ id, columns }: Pick<MoveFormProps, 'columns'> & { id: number }) {
  const { base } = useVisit();
  const entry = [...columns].find(([, { data }]) => data.some((card) => card.id === id));
  if (!entry) return null;
  const [status, { data }] = entry;
  const at = data.findIndex((card) => card.id === id);
  const [over, under] = [data[at - 1], data[at + 1]];
  return (
    <Form action={`${base}/tasks/${id}/move`} of={{ status }}>
      <div class="choices">
        {over ? (
          <button type="submit" class="plain" name="above" value={over.id}>
            Move above <bdi>{over.name}</bdi>
          </button>
        ) : null}
        {under ? (
          <button type="submit" class="plain" name="below" value={under.id}>
            Move below <bdi>{under.name}</bdi>
          </button>
        ) : null}
      </div>
    </Form>
  );
}
