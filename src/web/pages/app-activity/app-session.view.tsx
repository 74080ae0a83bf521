import type { UndoPlanOutput, UndoStep } from '../../../app-activity/app-activity.schema.ts';
import { formatCount } from '../../../kernel/text/number-format.ts';
import { Confirmation } from '../../components/confirmation.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { appSessionParams, appSessionReads } from './app-activity.tsx';
import { SessionTime } from './app-sessions.view.tsx';
import { buildSessionPath } from './session-path.ts';

type Props = ViewProps<typeof appSessionParams, typeof appSessionReads, Record<never, never>>;

const outcomeLabels: Readonly<Record<UndoStep['outcome'], string>> = {
  undo: '',
  later: '',
  done: 'Already undone',
  kept: 'Kept',
  impossible: "Can't be undone",
};

export function AppSessionView({ visit: { base }, params, answers: { session } }: Props) {
  const { app, startedAt, endedAt, steps, hidden, next } = session;
  const path = `${base}/apps/${app.id}`;
  const countSteps = (...outcomes: UndoStep['outcome'][]) =>
    steps.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const undoable = countSteps('undo', 'later');
  const groups = [...Map.groupBy(steps, ({ task }) => task).values()];
  return (
    <div class="column-page">
      <header class="head">
        <h1>
          Changes by <bdi>{app.name}</bdi>
        </h1>
        <a href={path}>All changes</a>
      </header>
      {startedAt && endedAt ? (
        <p class="lead">
          <SessionTime startedAt={startedAt} endedAt={endedAt} />
          {next === null ? '' : '. Older changes are on the next page.'}
        </p>
      ) : (
        <p class="lead">No changes in this period.</p>
      )}
      {undoable > 0 ? (
        <Confirmation
          label={`Undo ${formatCount(undoable, 'change')}…`}
          action={`${path}/undo`}
          confirm="Undo changes"
          of={toHiddenFields(session, params)}
        >
          <UndoConsequences steps={steps} hidden={hidden} />
        </Confirmation>
      ) : (
        <UndoConsequences steps={steps} hidden={hidden} />
      )}
      {groups.map((group) => (
        <TaskUndoSteps steps={group} base={base} />
      ))}
      {next === null ? null : (
        <nav class="pager" aria-label="Pages">
          <a
            rel="next"
            href={buildSessionPath(`${path}/session`, { ...toUndoRange(session, params), before: next })}
          >
            Older changes
          </a>
        </nav>
      )}
    </div>
  );
}

function UndoConsequences({ steps, hidden }: { steps: readonly UndoStep[]; hidden: number }) {
  const keptCount = steps.filter(({ outcome }) => outcome === 'kept').length;
  const impossible = steps.filter(({ outcome }) => outcome === 'impossible').length;
  const hasNew = steps.some(
    ({ outcome, label }) => outcome === 'undo' && /^(Created the|Duplicated a) task$/.test(label),
  );
  const hasMeetings = steps.some(({ outcome, label }) => outcome === 'undo' && label.endsWith('a meeting'));
  return (
    <ul>
      {hasNew ? <li>New tasks will be archived.</li> : null}
      {hasMeetings ? <li>Meeting participants will be notified.</li> : null}
      {keptCount > 0 ? (
        <li>{formatCount(keptCount, 'change')} will be kept because of later changes. See below.</li>
      ) : null}
      {impossible > 0 ? <li>{formatCount(impossible, 'change')} can't be undone. See below.</li> : null}
      {hidden > 0 ? (
        <li>{formatCount(hidden, 'change')} to tasks that you can no longer see will be kept.</li>
      ) : null}
      <li>
        Notifications and emails that were already sent can't be recalled. New followers aren't removed.
      </li>
    </ul>
  );
}

function TaskUndoSteps({ steps, base }: { steps: readonly UndoStep[]; base: string }) {
  const [first] = steps;
  if (!first) return null;
  const { task, name } = first;
  const heading = `changes-${task ?? 0}`;
  return (
    <section class="group" aria-labelledby={heading}>
      <h2 id={heading}>{task === null ? 'Other changes' : <a href={`${base}/tasks/${task}`}>{name}</a>}</h2>
      <ul class="rows panel">
        {steps.map(({ label, outcome, reason }) => (
          <li>
            <div>
              {label}
              {outcomeLabels[outcome] ? <span class="meta"> · {outcomeLabels[outcome]}</span> : null}
              {reason ? (
                <p class="problem">
                  <bdi>{reason}</bdi>
                </p>
              ) : null}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * The range ends with the newest change on the page, so that undo doesn't include later changes, which the person
 * hasn't seen.
 */
function toUndoRange({ from, until }: UndoPlanOutput, params: Props['params']) {
  return {
    from: params.from === undefined ? undefined : from,
    until: params.until ?? until,
    since: params.since,
    before: params.before,
  };
}

function toHiddenFields(session: UndoPlanOutput, params: Props['params']): Record<string, string> {
  const fields = Object.entries(toUndoRange(session, params)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return Object.fromEntries(fields);
}
