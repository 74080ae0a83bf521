import type * as z from 'zod';
import type { publicLink, publicLinkList } from '../../../sharing/public-links/public-links.schema.ts';
import { Confirmation } from '../../components/confirmation.tsx';
import { useVisit } from '../../components/context.ts';
import { Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { formatShortDate, RelativeTime } from '../../components/time.tsx';

const nameOptions = [
  ['false', 'Hide names'],
  ['true', 'Show names'],
] as const;

interface PublicLinksSectionProps {
  links: z.output<typeof publicLinkList>;
  action: string;
  what: 'project' | 'filter';
}

export function PublicLinksSection({ links: { data, problem }, action, what }: PublicLinksSectionProps) {
  return (
    <section class="group" aria-labelledby="links">
      <h2 id="links">
        Public links <span class="number">{data.length}</span>
      </h2>
      <p class="hint">
        Anyone with a link can see the tasks of this {what}, without signing in: names, descriptions,
        statuses, priorities, tags, deadlines and progress. Visitors can't see comments, files or email
        addresses, and can't change anything.
      </p>
      {problem === null ? null : <p class="alert">{problem}</p>}
      {data.length === 0 ? null : (
        <ul class="rows panel public-links">
          {data.map((link) => (
            <PublicLinkRow link={link} />
          ))}
        </ul>
      )}
      {problem === null ? <NewLinkForm action={action} /> : null}
    </section>
  );
}

function NewLinkForm({ action }: { action: string }) {
  return (
    <Form action={action} class="panel padded link-options" label="New public link">
      <div class="row">
        <LinkOptions id="new-link" showsNames={false} expiresOn={null} />
      </div>
      <button type="submit">
        <Icon name="link" />
        Create public link
      </button>
    </Form>
  );
}

function LinkOptions({ id, showsNames, expiresOn }: LinkOptionsProps) {
  return (
    <>
      <Select
        id={`${id}-names`}
        name="showsNames"
        label="People's names"
        value={String(showsNames)}
        options={nameOptions}
      />
      <Field
        id={`${id}-expiry`}
        name="expiresOn"
        label="Last day"
        type="date"
        value={expiresOn ?? ''}
        isOptional
        hint="Optional"
      />
    </>
  );
}

type PublicLink = z.output<typeof publicLink>;
type LinkOptionsProps = Pick<PublicLink, 'showsNames' | 'expiresOn'> & { id: string };

function PublicLinkRow({ link }: { link: PublicLink }) {
  const { base, rejected } = useVisit();
  const { id, address, showsNames, expiresOn } = link;
  const action = `${base}/links/${id}`;
  return (
    <li>
      <div class="public-link">
        {address === null ? (
          <p>This link works, but can't be shown again. To get a link to copy, create a new one.</p>
        ) : (
          <p class="inline grow">
            <input id={`link-${id}`} type="text" readonly value={address} aria-label="Public link" />
            <button type="button" class="plain" data-copy={`#link-${id}`} hidden>
              Copy
            </button>
            <a class="button plain" href={address} data-no-prefetch>
              Open
            </a>
          </p>
        )}
        <p class="hint">
          <LinkState link={link} />
        </p>
        <div class="inline">
          <details class="edit" open={rejected?.action === action}>
            <summary>Options</summary>
            <Form action={action} class="link-options" snapshot={{ showsNames, expiresOn }}>
              <div class="row">
                <LinkOptions id={`link-${id}`} showsNames={showsNames} expiresOn={expiresOn} />
              </div>
              <button type="submit">Save</button>
            </Form>
          </details>
          <Confirmation label="Revoke link…" action={`${action}/revoke`} confirm="Revoke link">
            <p>The link will stop working immediately.</p>
          </Confirmation>
        </div>
      </div>
    </li>
  );
}

function LinkState({
  link: { showsNames, expiresOn, hasExpired, createdBy, createdAt, lastUsedAt },
}: {
  link: PublicLink;
}) {
  const { today } = useVisit();
  const expiry = expiresOn === null ? null : formatShortDate(expiresOn, today);
  return (
    <>
      {hasExpired ? (
        <strong>Expired {expiry}</strong>
      ) : expiry === null ? (
        'No expiry'
      ) : (
        `Works until ${expiry}`
      )}
      {` · ${showsNames ? 'Shows names' : 'Hides names'} · Created by `}
      <bdi>{createdBy.name}</bdi>, <RelativeTime at={createdAt} />
      {' · '}
      {lastUsedAt === null ? (
        'Never opened'
      ) : (
        <>
          Last opened <RelativeTime at={lastUsedAt} />
        </>
      )}
    </>
  );
}
