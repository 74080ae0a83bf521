import type { Caller } from '../../../kernel/access/access.ts';
import { isBotId } from '../../../kernel/access/bot-ids.queries.ts';
import { getReach } from '../../../kernel/access/capabilities.ts';
import { Confirmation } from '../../components/confirmation.tsx';
import { useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { Pager } from '../../components/pager.tsx';
import { PersonName } from '../../components/people.tsx';
import { PersonSelect } from '../../components/searchable-select.tsx';
import { setQueryParameter } from '../../components/set-query-parameter.ts';
import type { ViewProps } from '../../page-model/page.ts';
import { InvitationList, InvitePeopleForm } from './invitations.view.tsx';
import type { peopleOptionalReads, peopleParams, peopleReads } from './people.tsx';
import { roleLabels, roleOptions } from './roles.ts';

type Props = ViewProps<typeof peopleParams, typeof peopleReads, typeof peopleOptionalReads>;
export type Answers = Props['answers'];
type Person = Answers['people']['data'][number];

export function PeopleView({ visit: { base }, params, answers }: Props) {
  const { people, invitations } = answers;
  return (
    <div class="column-page">
      <header class="head">
        <h1>People</h1>
        <nav class="tabs" aria-label="People and teams">
          <a href={`${base}/people`} aria-current="page">
            People
          </a>
          <a href={`${base}/teams`}>Teams</a>
        </nav>
      </header>
      {invitations ? <InvitePeopleForm projects={answers.projects} /> : null}
      {invitations && invitations.invitations.length > 0 ? (
        <InvitationList invitations={invitations.invitations} />
      ) : null}
      <section class="group" aria-labelledby="members">
        <h2 id="members">
          Members <span class="number">{people.meta.total}</span>
        </h2>
        <ul class="rows people panel">
          {people.data.map((person) => (
            <PersonRow person={person} people={people} isOpen={params.about === person.id} />
          ))}
        </ul>
      </section>
      {people.data.length === 1 && !invitations?.invitations.length ? (
        <EmptyState icon="users">
          <p>It's just you so far. Invite your team: they'll get an email with a link.</p>
        </EmptyState>
      ) : null}
      <Pager meta={people.meta} />
      <LeaveWorkspaceForm />
    </div>
  );
}

function canManagePerson(caller: Caller, person: Person): boolean {
  if (person.id === caller.userId || person.role === 'owner') return false;
  return getReach(caller, 'managePeople') === 'all';
}

interface PersonRowProps {
  person: Person;
  people: Answers['people'];
  isOpen: boolean;
}

function PersonRow({ person, people, isOpen }: PersonRowProps) {
  const { base, caller } = useVisit();
  const personUrl = `${base}/people/${person.id}`;
  const isManaged = canManagePerson(caller, person);
  return (
    <li id={`person-${person.id}`}>
      <span class="row-name">
        <PersonName person={person} />
      </span>
      <span class="row-meta wide-only">
        {isBotId(person.id) ? <a href={`${base}/bots/${person.id}`}>Bot</a> : <bdi>{person.email}</bdi>}
      </span>
      {isManaged ? (
        <Form action={`${personUrl}/role`} auto class="inline" snapshot={{ role: person.role }}>
          <Select
            id={`role-${person.id}`}
            name="role"
            label={`Role of ${person.name}`}
            isLabelHidden
            value={person.role}
            options={roleOptions}
          />
          <button type="submit" class="plain auto">
            Save
          </button>
        </Form>
      ) : (
        <span class="row-meta">
          {person.id === caller.userId ? `${roleLabels[person.role]} (you)` : roleLabels[person.role]}
        </span>
      )}
      {isManaged ? <PersonActionsMenu person={person} people={people} isOpen={isOpen} /> : null}
    </li>
  );
}

function PersonActionsMenu({ person, people, isOpen }: PersonRowProps) {
  const { base, caller, address, rejected } = useVisit();
  const personUrl = `${base}/people/${person.id}`;
  if (!isOpen && !rejected?.action.startsWith(personUrl)) {
    return (
      <a
        class="button quiet row-more"
        href={`${setQueryParameter(address, 'about', person.id)}#person-${person.id}`}
        aria-label={`Actions for ${person.name}`}
      >
        <Icon name="ellipsis" />
      </a>
    );
  }
  return (
    <details class="edit row-menu" name="row-menu" open>
      <summary aria-label={`Actions for ${person.name}`}>
        <Icon name="ellipsis" />
      </summary>
      <div class="panel padded">
        <Confirmation
          label="Remove from workspace…"
          action={`${personUrl}/remove`}
          confirm={`Remove ${person.name}`}
        >
          <p>Their API keys and tokens will stop working, and their timer will stop.</p>
          <PersonSelect
            id={`heir-${person.id}`}
            name="heirId"
            label="Reassign their open tasks to"
            first={[['', 'Unassigned']]}
            people={people}
            without={[person.id]}
          />
        </Confirmation>
        {getReach(caller, 'ownWorkspace') === 'all' && person.role !== 'client' && !isBotId(person.id) ? (
          <Confirmation
            label="Transfer ownership…"
            action={`${personUrl}/owner`}
            confirm={`Make ${person.name} the owner`}
          >
            <p>You'll become an admin. Only {person.name} can make you the owner again.</p>
          </Confirmation>
        ) : null}
      </div>
    </details>
  );
}

function LeaveWorkspaceForm() {
  const { base, caller, rejected } = useVisit();
  return (
    <details class="edit" open={rejected?.action === `${base}/leave`}>
      <summary>Leave {caller.workspaceName}</summary>
      <Form action={`${base}/leave`} class="panel padded">
        <p>
          Your open tasks will become unassigned, your API keys will stop working and your timer will stop.
          Your past work stays in the workspace.
        </p>
        <button type="submit" class="danger">
          Leave workspace
        </button>
      </Form>
    </details>
  );
}
