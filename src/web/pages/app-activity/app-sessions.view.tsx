import type { AppSession } from '../../../app-activity/app-activity.schema.ts';
import { getDateFormat } from '../../../kernel/dates/date-format.ts';
import { formatCount } from '../../../kernel/text/number-format.ts';
import { useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field } from '../../components/field.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { appSessionsParams, appSessionsReads } from './app-activity.tsx';
import { buildSessionPath } from './session-path.ts';

type Props = ViewProps<typeof appSessionsParams, typeof appSessionsReads, Record<never, never>>;

export function AppSessionsView({ visit: { base, caller }, params, answers: { sessions } }: Props) {
  const { app, data, before } = sessions;
  const path = `${base}/apps/${app.id}`;
  return (
    <div class="column-page">
      <header class="head">
        <h1>
          Changes by <bdi>{app.name}</bdi>
        </h1>
        <a href={`/connected-apps?workspace=${caller.workspaceId}`}>Connected apps</a>
      </header>
      {data.length === 0 ? (
        <EmptyState icon="layout-list">
          <p>No changes yet. Changes by this app appear here, and you can undo them.</p>
        </EmptyState>
      ) : (
        <>
          <ul class="rows panel">
            {data.map((session) => (
              <SessionRow session={session} path={path} />
            ))}
          </ul>
          <form method="get" action={`${path}/session`} class="row">
            <Field name="since" label="Changes since" type="datetime-local" />
            <button type="submit" class="plain">
              Show changes
            </button>
          </form>
        </>
      )}
      {params.before === undefined && before === null ? null : (
        <nav class="pager" aria-label="Pages">
          {params.before === undefined ? null : <a href={path}>Newest</a>}
          {before === null ? null : (
            <a rel="next" href={`${path}?before=${before}`}>
              Older
            </a>
          )}
        </nav>
      )}
      <p class="hint">You can undo changes from the last 30 days.</p>
    </div>
  );
}

function SessionRow({ session, path }: { session: AppSession; path: string }) {
  const { from, until, startedAt, endedAt, changes } = session;
  return (
    <li>
      <a class="row-name" href={buildSessionPath(`${path}/session`, { from, until })}>
        <SessionTime startedAt={startedAt} endedAt={endedAt} />
      </a>
      <span class="row-meta">{formatCount(changes, 'change')}</span>
    </li>
  );
}

export function SessionTime({ startedAt, endedAt }: { startedAt: string; endedAt: string }) {
  const { caller } = useVisit();
  const day = getDateFormat('en-GB', { dateStyle: 'medium', timeZone: caller.timezone });
  const time = getDateFormat('en-GB', { timeStyle: 'short', timeZone: caller.timezone });
  const [start, end] = [new Date(startedAt), new Date(endedAt)];
  const [from, to] = [
    `${day.format(start)}, ${time.format(start)}`,
    `${day.format(end)}, ${time.format(end)}`,
  ];
  const shownEnd = day.format(start) === day.format(end) ? time.format(end) : to;
  return <time datetime={startedAt}>{from === to ? from : `${from} – ${shownEnd}`}</time>;
}
