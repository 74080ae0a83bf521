import { getReach } from '../../../kernel/access/capabilities.ts';
import { Confirmation } from '../../components/confirmation.tsx';
import { useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { PersonName } from '../../components/people.tsx';
import { PersonSelect } from '../../components/searchable-select.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { teamsParams, teamsReads } from './teams.tsx';

type Props = ViewProps<typeof teamsParams, typeof teamsReads, Record<never, never>>;
type Team = Props['answers']['teams']['data'][number];

export function TeamsView({ visit: { base, caller }, answers: { teams, people } }: Props) {
  const isManager = getReach(caller, 'manageTeams') === 'all';
  const roots = teams.data.filter(({ parentId }) => !teams.data.some(({ id }) => id === parentId));
  return (
    <div class="column-page">
      <header class="head">
        <h1>Teams</h1>
        <nav class="tabs" aria-label="People and teams">
          <a href={`${base}/people`}>People</a>
          <a href={`${base}/teams`} aria-current="page">
            Teams
          </a>
        </nav>
      </header>
      {isManager ? <NewTeamForm teams={teams.data} /> : null}
      {teams.data.length === 0 ? (
        <EmptyState icon="users">
          <p>No teams yet. Team leads see the workload of their team and its subteams.</p>
        </EmptyState>
      ) : null}
      {roots.map((team) => (
        <TeamWithSubteams team={team} teams={teams.data} people={people} isManager={isManager} depth={0} />
      ))}
    </div>
  );
}

interface TeamWithSubteamsProps {
  team: Team;
  teams: readonly Team[];
  people: Props['answers']['people'];
  isManager: boolean;
  depth: number;
}

function TeamWithSubteams({ team, teams, people, isManager, depth }: TeamWithSubteamsProps) {
  const { base, caller } = useVisit();
  const teamUrl = `${base}/teams/${team.id}`;
  const leads = team.members.some(({ id, role }) => id === caller.userId && role === 'lead');
  const mayAddMembers = isManager || (leads && getReach(caller, 'manageTeams') === 'own');
  const inside = team.members.map(({ id }) => id);
  return (
    <section class={depth > 0 ? 'group sub-team' : 'group'} aria-labelledby={`team-${team.id}`}>
      <h2 id={`team-${team.id}`}>
        <bdi>{team.name}</bdi> <span class="number">{team.members.length}</span>
      </h2>
      <ul class="rows panel">
        {team.members.map((member) => (
          <li>
            <span class="row-name">
              <PersonName person={member} />
            </span>
            <span class="row-meta">{member.role === 'lead' ? 'Team lead' : ''}</span>
            {isManager || (mayAddMembers && member.role !== 'lead') ? (
              <div class="inline">
                {isManager ? (
                  <Form
                    action={`${teamUrl}/people`}
                    of={{ userId: member.id, role: member.role === 'lead' ? 'member' : 'lead' }}
                  >
                    <button type="submit" class="quiet">
                      {member.role === 'lead' ? 'Make member' : 'Make lead'}
                    </button>
                  </Form>
                ) : null}
                <Form action={`${teamUrl}/people/${member.id}/remove`} of={{ role: member.role }}>
                  <button type="submit" class="quiet" aria-label={`Remove ${member.name} from ${team.name}`}>
                    <Icon name="x" />
                  </button>
                </Form>
              </div>
            ) : null}
          </li>
        ))}
        {mayAddMembers && people.meta.total > inside.length ? (
          <li>
            <Form action={`${teamUrl}/people`} class="inline" label={`Add people to ${team.name}`}>
              <PersonSelect
                id={`add-to-${team.id}`}
                name="userId"
                label={`Person to add to ${team.name}`}
                isLabelHidden
                people={people}
                without={inside}
              />
              <button type="submit" class="quiet">
                <Icon name="plus" />
                Add
              </button>
            </Form>
          </li>
        ) : null}
      </ul>
      {isManager ? <EditTeamSection team={team} teams={teams} teamUrl={teamUrl} /> : null}
      {teams
        .filter(({ parentId }) => parentId === team.id)
        .map((part) => (
          <TeamWithSubteams
            team={part}
            teams={teams}
            people={people}
            isManager={isManager}
            depth={depth + 1}
          />
        ))}
    </section>
  );
}

function EditTeamSection({ team, teams, teamUrl }: { team: Team; teams: readonly Team[]; teamUrl: string }) {
  const { rejected } = useVisit();
  return (
    <details class="edit" open={rejected?.action.startsWith(teamUrl) ?? false}>
      <summary>Edit {team.name}</summary>
      <Form action={teamUrl} class="add-row" snapshot={{ name: team.name, parentId: team.parentId }}>
        <Field
          id={`name-${team.id}`}
          name="name"
          label="Name"
          isLabelHidden
          value={team.name}
          maxlength={100}
          autocomplete="off"
        />
        <Select
          id={`parent-${team.id}`}
          name="parentId"
          label="Parent team"
          isLabelHidden
          value={String(team.parentId ?? '')}
          options={[
            ['', 'No parent team'],
            ...getParentTeamOptions(teams.filter(({ id }) => id !== team.id)),
          ]}
        />
        <button type="submit" class="plain">
          Save
        </button>
      </Form>
      <Confirmation label="Delete team…" action={`${teamUrl}/remove`} confirm={`Delete ${team.name}`}>
        <p>Its members stay in the workspace.</p>
      </Confirmation>
    </details>
  );
}

function NewTeamForm({ teams }: { teams: readonly Team[] }) {
  const { base } = useVisit();
  return (
    <Form action={`${base}/teams`} class="add-row" label="New team">
      <Field
        id="new-team"
        name="name"
        label="Team name"
        isLabelHidden
        maxlength={100}
        autocomplete="off"
        placeholder="New team…"
      />
      <Select
        id="new-team-parent"
        name="parentId"
        label="Parent team"
        isLabelHidden
        options={[['', 'No parent team'], ...getParentTeamOptions(teams)]}
      />
      <button type="submit">
        <Icon name="plus" />
        Create
      </button>
    </Form>
  );
}

function getParentTeamOptions(teams: readonly Team[]) {
  return teams.map(({ id, name }) => [String(id), `Part of ${name}`] as const);
}
