import type { ChangeSetSummary } from '../../../change-sets/model/change-sets.schema.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { changeSetsParams, changeSetsReads } from './change-sets.tsx';
import { toStatusLabel } from './status-label.ts';

type Props = ViewProps<typeof changeSetsParams, typeof changeSetsReads, Record<never, never>>;

export function ChangeSetsView({ visit: { base }, answers: { sets } }: Props) {
  return (
    <div class="column-page">
      <header class="head">
        <h1>Proposed changes</h1>
      </header>
      {sets.data.length === 0 ? (
        <EmptyState icon="layout-list">
          <p>No proposed changes. Connected apps can propose changes for you to approve.</p>
        </EmptyState>
      ) : (
        <ul class="rows panel">
          {sets.data.map((set) => (
            <ChangeSetRow set={set} base={base} />
          ))}
        </ul>
      )}
    </div>
  );
}

function ChangeSetRow({ set, base }: { set: ChangeSetSummary; base: string }) {
  return (
    <li>
      <a class="row-name" href={`${base}/changes/${set.id}`}>
        {set.title || `Changes by ${set.app}`}
      </a>
      <span class="row-meta wide-only">
        <bdi>{set.app}</bdi>
      </span>
      <span class="row-meta">{set.items === 1 ? '1 change' : `${set.items} changes`}</span>
      <span class="row-meta">{toStatusLabel(set)}</span>
    </li>
  );
}
