import { getReach } from '../../../kernel/access/capabilities.ts';
import { toTotalMinutes } from '../../../meetings/operations/meetings.schema.ts';
import { describeRule } from '../../../meetings/recurrence/describe-rule.ts';
import { useVisit } from '../../components/context.ts';
import { Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { LinkedText, RichText } from '../../components/linked-text.tsx';
import { PersonName } from '../../components/people.tsx';
import { StatusLabel } from '../../components/status-and-priority.tsx';
import { formatDayHeading } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { formatMinutes } from './meeting-durations.ts';
import type { meetingParams, meetingReads } from './meetings.tsx';

type Props = ViewProps<typeof meetingParams, typeof meetingReads, Record<never, never>>;

export function MeetingView({ visit: { base, caller, today }, answers: { meeting, statuses } }: Props) {
  const { date, time, recurrence, meetingLink, location, description } = meeting;
  return (
    <div class="column-page" data-project={meeting.project.id}>
      <p class="crumbs">
        <a href={`${base}/calendar?day=${date}`}>Calendar</a>
        <span aria-hidden="true">/</span>
        <a href={`${base}/projects/${meeting.project.id}`}>
          <bdi>{meeting.project.name}</bdi>
        </a>
      </p>
      <header class="head">
        <h1>
          <bdi>{meeting.name}</bdi>
        </h1>
        {getReach(caller, 'cancelMeetings') === 'all' ? (
          <Form action={`${base}/meetings/${meeting.id}/cancel`}>
            <button type="submit" class="quiet">
              Cancel meeting
            </button>
          </Form>
        ) : null}
      </header>
      <p>
        <strong>
          {formatDayHeading(date, today)}, {time}
        </strong>{' '}
        · {formatMinutes(toTotalMinutes(meeting.duration))}
        {recurrence ? ` · ${describeRule(recurrence)}` : null}
        {location ? (
          <>
            {' · '}
            <LinkedText text={location} />
          </>
        ) : null}
      </p>
      {meetingLink ? (
        <p>
          <a href={meetingLink} rel="noopener noreferrer nofollow" target="_blank">
            {meetingLink}
          </a>
        </p>
      ) : null}
      {description ? <RichText html={description} class="panel padded" /> : null}
      <ParticipantList meeting={meeting} statuses={statuses} />
      <TimeAndPlaceForm meeting={meeting} />
    </div>
  );
}

function ParticipantList({ meeting, statuses }: Pick<Props['answers'], 'meeting' | 'statuses'>) {
  const { base } = useVisit();
  return (
    <section class="group" aria-labelledby="people-name">
      <h2 id="people-name">
        Participants <span class="number">{meeting.participants.length}</span>
      </h2>
      <ul class="rows panel">
        {meeting.participants.map((person) => (
          <li>
            <a class="row-name" href={`${base}/tasks/${person.taskId}`}>
              <PersonName person={person} />
            </a>
            <span class="row-meta">
              <StatusLabel status={statuses.data.find(({ value }) => value === person.status)} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function TimeAndPlaceForm({
  meeting: { id, date, time, meetingLink, location, recurrence },
}: Pick<Props['answers'], 'meeting'>) {
  const { base } = useVisit();
  return (
    <section class="group" aria-labelledby="edit-name">
      <h2 id="edit-name">{recurrence ? 'Edit time and place of this occurrence' : 'Edit time and place'}</h2>
      <Form
        action={`${base}/meetings/${id}`}
        class="panel padded"
        snapshot={{ date, time, meetingLink, location }}
      >
        <div class="entry-form">
          <Field name="date" label="Date" type="date" value={date} />
          <Field name="time" label="Time" type="time" value={time} />
        </div>
        <Field
          name="meetingLink"
          label="Meeting link"
          value={meetingLink ?? ''}
          isOptional
          maxlength={2000}
        />
        <Field name="location" label="Location" value={location ?? ''} isOptional maxlength={200} />
        <button type="submit">Save</button>
      </Form>
    </section>
  );
}
