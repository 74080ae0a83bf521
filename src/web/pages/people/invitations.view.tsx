import { Confirmation } from '../../components/confirmation.tsx';
import { useVisit } from '../../components/context.ts';
import { Select, TextArea } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { ProjectSelect } from '../../components/searchable-select.tsx';
import { RelativeTime } from '../../components/time.tsx';
import type { Answers } from './people.view.tsx';
import { roleDescriptions, roleLabels, roleOptions } from './roles.ts';

export function InvitePeopleForm({ projects }: Pick<Answers, 'projects'>) {
  const { base } = useVisit();
  return (
    <section class="group">
      <Form action={`${base}/people/invitations`} class="add-row" label="Invite people">
        <TextArea
          name="email"
          label="Email addresses"
          isLabelHidden
          rows={1}
          placeholder="ada@example.com, ben@example.com"
        />
        <Select name="role" label="Role" isLabelHidden value="member" options={roleOptions} />
        <ProjectSelect
          name="projectIds"
          label="Add to project"
          isLabelHidden
          first={[['', 'No project']]}
          projects={projects}
        />
        <button type="submit">
          <Icon name="plus" />
          Send invitations
        </button>
      </Form>
      <details class="edit">
        <summary>What can each role do?</summary>
        <ul>
          {roleDescriptions.map(([role, note]) => (
            <li>
              <b>{roleLabels[role]}</b> {note}
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

type Invitation = NonNullable<Answers['invitations']>['invitations'][number];

export function InvitationList({ invitations }: { invitations: readonly Invitation[] }) {
  const { base } = useVisit();
  return (
    <section class="group" aria-labelledby="invited">
      <h2 id="invited">
        Invited <span class="number">{invitations.length}</span>
      </h2>
      <ul class="rows panel">
        {invitations.map((invitation) => (
          <li>
            <span class="row-name">
              <bdi>{invitation.email}</bdi>
            </span>
            <span class="row-meta">{roleLabels[invitation.role]}</span>
            <span class="row-date wide-only">
              {invitation.isExpired ? 'Expired' : <RelativeTime at={invitation.createdAt} />}
            </span>
            <Form action={`${base}/people/invitations/${invitation.id}/resend`}>
              <button type="submit" class="quiet">
                Resend
              </button>
            </Form>
            <Confirmation
              label={`Withdraw the invitation for ${invitation.email}`}
              isInRow
              action={`${base}/people/invitations/${invitation.id}/withdraw`}
              confirm="Withdraw invitation"
            >
              <p>The link in the email will stop working.</p>
            </Confirmation>
          </li>
        ))}
      </ul>
    </section>
  );
}
