import type { AuditEntry } from '../../../audit/audit.schema.ts';
import { auditTypeNames, auditTypes } from '../../../kernel/audit/audit-types.ts';
import { buildCursor } from '../../../kernel/lists/pagination.ts';
import { useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { DateFilter, Filters } from '../../components/filters.tsx';
import { setQueryParameter } from '../../components/set-query-parameter.ts';
import { SettingsNavigation } from '../../components/settings-navigation.tsx';
import { RelativeTime } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { auditOptionalReads, auditParams, auditReads } from './audit.reads.ts';
import { describeCredential, describeDetails } from './describe-entry.ts';

type Props = ViewProps<typeof auditParams, typeof auditReads, typeof auditOptionalReads>;

export function AuditView({ visit: { base, address }, params, answers }: Props) {
  const { log, people, bots, selectedPerson } = answers;
  const accountable = new Map(bots.data.map((bot) => [bot.id, bot.accountable.name]));
  const { person, type, from, to, cursor } = params;
  const isFiltered = Boolean(person || type || from || to);
  const path = `${base}/audit`;
  const last = log.data.at(-1);
  return (
    <div class="settings">
      <header class="head">
        <h1>Audit log</h1>
        <a href={setQueryParameter(address, 'cursor', null).replace(path, `${path}.csv`)} data-no-prefetch>
          Export CSV
        </a>
      </header>
      <SettingsNavigation />
      <Filters
        label="Filter the audit log"
        hasText={false}
        isSet={isFiltered}
        choices={[
          {
            name: 'person',
            label: 'Person',
            value: person,
            options: [['', 'Everyone']],
            people: { people, current: selectedPerson?.people[0] },
          },
          {
            name: 'type',
            label: 'Event',
            value: type,
            options: [['', 'All events'], ...auditTypeNames.map((each) => [each, auditTypes[each]] as const)],
          },
        ]}
      >
        <DateFilter name="from" label="From" value={from} />
        <DateFilter name="to" label="to" ariaLabel="To" value={to} />
      </Filters>
      {log.data.length === 0 ? (
        <NoEntriesMessage isFiltered={isFiltered} path={path} />
      ) : (
        <ul class="rows audit panel group">
          {log.data.map((entry) => (
            <AuditEntryRow entry={entry} accountable={accountable.get(entry.actor?.id ?? '')} />
          ))}
        </ul>
      )}
      {cursor !== undefined || log.meta.hasMore ? (
        <nav class="pager" aria-label="Pages">
          {cursor === undefined ? null : <a href={setQueryParameter(address, 'cursor', null)}>Newest</a>}
          {last && log.meta.hasMore ? (
            <a rel="next" href={setQueryParameter(address, 'cursor', buildAuditCursor(last))}>
              Older
            </a>
          ) : null}
        </nav>
      ) : null}
      <p class="hint">Entries are kept for 180 days. Only owners and admins can see them.</p>
    </div>
  );
}

function NoEntriesMessage({ isFiltered, path }: { isFiltered: boolean; path: string }) {
  return (
    <EmptyState icon="search">
      {isFiltered ? (
        <p>
          No matching entries. <a href={path}>Clear filters</a>
        </p>
      ) : (
        <p>No entries yet. Sign-ins, role changes, new keys, exports and deletions appear here.</p>
      )}
    </EmptyState>
  );
}

function AuditEntryRow({ entry, accountable }: { entry: AuditEntry; accountable: string | undefined }) {
  const { base } = useVisit();
  const { actor, credential, details, ipAddress, occurredAt, person, subject, type, userAgent } = entry;
  const about = [person?.name, subject?.name].filter((name) => name !== undefined && name !== '');
  const facts = describeDetails(details);
  return (
    <li>
      <span class="row-name">
        {actor ? (
          <a href={`${base}/audit?person=${encodeURIComponent(actor.id)}`}>
            <bdi>{actor.name}</bdi>
          </a>
        ) : (
          'Edgework'
        )}
        {accountable === undefined ? null : (
          <>
            {' (bot of '}
            <bdi>{accountable}</bdi>)
          </>
        )}
        {' · '}
        {auditTypes[type]}
        {about.map((name) => (
          <>
            {' · '}
            <bdi>{name}</bdi>
          </>
        ))}
        {facts === '' ? null : (
          <span class="none">
            {' '}
            (<bdi>{facts}</bdi>)
          </span>
        )}
      </span>
      <span class="row-meta">
        <bdi>{[describeCredential(credential), ipAddress, userAgent].filter(Boolean).join(' · ')}</bdi>
      </span>
      <span class="row-date">
        <RelativeTime at={occurredAt} />
      </span>
    </li>
  );
}

function buildAuditCursor({ occurredAt, id }: AuditEntry): string {
  return buildCursor([0, Date.parse(occurredAt), id]);
}
