import { getReach } from '../../../kernel/access/capabilities.ts';
import { toWallClock } from '../../../kernel/dates/civil-date.ts';
import { listBusyTimes } from '../../../meetings/operations/busy-times.ts';
import { describeRule } from '../../../meetings/recurrence/describe-rule.ts';
import { FormProvider, useRejectedForm, useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { PersonName } from '../../components/people.tsx';
import { RichTextField } from '../../components/rich-text-field.tsx';
import { ProjectSelect } from '../../components/searchable-select.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { formatMinutes, meetingDurations } from './meeting-durations.ts';
import type { newMeetingOptionalReads, newMeetingParams, newMeetingReads } from './meetings.tsx';
import { CHECK_AVAILABILITY_BUTTON } from './new-meeting-form.ts';
import { proposeTime } from './propose-time.ts';
import { adaptRuleToDate, listRepeatRules } from './repeat-rules.ts';

type Props = ViewProps<typeof newMeetingParams, typeof newMeetingReads, typeof newMeetingOptionalReads>;

export function NewMeetingView({ visit: { base }, params, answers }: Props) {
  return (
    <div class="column-page">
      <header class="head">
        <h1>New meeting</h1>
      </header>
      {answers.projects.data.length === 0 ? (
        <EmptyState icon="calendar">
          <p>Meetings belong to a project. Create or join one first.</p>
          <a class="button plain" href={`${base}/projects`}>
            View projects
          </a>
        </EmptyState>
      ) : (
        <Form action={`${base}/meetings`} class="panel padded new-meeting" label="New meeting">
          <MeetingFields params={params} answers={answers} />
        </Form>
      )}
    </div>
  );
}

/** Time and participants share one form so that the displayed availability matches the saved time. */
function MeetingFields({ params, answers }: Pick<Props, 'params' | 'answers'>) {
  const { address, caller, now, today, rejected } = useVisit();
  const [path] = address.split('?');
  const rejectedHere = useRejectedForm();
  const next = proposeTime(toWallClock(now, caller.timezone));
  const { projectId, date = next.date, minutes } = params;
  const time = params.time ?? (date === today ? next.time : '10:00');
  const offered: readonly number[] = meetingDurations;
  const lengths = offered.includes(minutes) ? offered : [...offered, minutes].sort((a, b) => a - b);
  return (
    // Shows errors from the submitted form or, without one, from the URL. To check availability, client/meeting.ts
    // copies the fields into the URL, even if they are invalid.
    <FormProvider value={rejectedHere ?? (rejected?.action === path ? rejected : null)}>
      <Field name="name" label="Name" maxlength={200} isFocused />
      <div class="entry-form">
        <ProjectSelect
          name="projectId"
          label="Project"
          value={String(projectId ?? '')}
          first={projectId === undefined ? [['', 'Choose a project']] : []}
          projects={answers.projects}
          current={answers.selectedProject}
        />
        <Field name="date" label="Date" type="date" value={date} />
        <Field name="time" label="Time" type="time" value={time} />
        <Select
          name="minutes"
          label="Duration"
          value={String(minutes)}
          options={lengths.map((each) => [String(each), formatMinutes(each)] as const)}
        />
      </div>
      <ParticipantFields answers={answers} when={{ date, time, minutes }} />
      <RichTextField name="description" label="Description" rows={3} isOptional maxlength={10_000} />
      <Field name="meetingLink" label="Meeting link" isOptional maxlength={2000} placeholder="https://…" />
      <Field name="location" label="Location" isOptional maxlength={200} />
      <RepeatFields date={date} />
      <div class="actions">
        <button type="submit">Create meeting</button>
        <noscript>
          <button type="submit" class="plain" name={CHECK_AVAILABILITY_BUTTON} value="yes" formnovalidate>
            Check availability
          </button>
        </noscript>
      </div>
    </FormProvider>
  );
}

function RepeatFields({ date }: { date: string }) {
  const { caller } = useVisit();
  const rejected = useRejectedForm();
  if (getReach(caller, 'scheduleMeetings') !== 'recurring' || caller.plan === 'free') return null;
  const options = listRepeatRules(date).map((rule) => [rule, describeRule(rule)] as const);
  const values = new URLSearchParams(rejected?.values);
  values.set('recurrence', adaptRuleToDate(values.get('recurrence') ?? '', date));
  return (
    <FormProvider value={rejected && { ...rejected, values }}>
      <div class="entry-form">
        <Select name="recurrence" label="Repeat" options={[['', "Doesn't repeat"] as const, ...options]} />
        <Field name="until" label="Until" type="date" min={date} isOptional />
      </div>
    </FormProvider>
  );
}

interface ParticipantFieldsProps {
  answers: Pick<Props['answers'], 'members' | 'day'>;
  when: Parameters<typeof listBusyTimes>[1];
}

function ParticipantFields({ answers: { members, day }, when }: ParticipantFieldsProps) {
  const { caller } = useVisit();
  const rejected = useRejectedForm();
  const people = members?.data ?? [{ id: caller.userId, name: caller.name }];
  if (!people.some(({ id }) => id === caller.userId)) {
    return <p>Only members can create meetings in this project. Ask its lead to add you.</p>;
  }
  const busy = listBusyTimes(day?.data ?? [], when);
  const selected = rejected?.values.has('name') ? rejected.values.getAll('participantIds') : [caller.userId];
  return (
    <fieldset class="field">
      <legend>Participants</legend>
      {rejected?.fields.participantIds ? <p class="problem">Select at least one participant.</p> : null}
      <ul class="choices-list">
        {people.map((person) => (
          <li>
            <label>
              <input
                type="checkbox"
                name="participantIds"
                value={person.id}
                checked={selected.includes(person.id)}
              />
              <PersonName person={person} />
            </label>
            {(busy.get(person.id) ?? []).map(({ text, isClash }) => (
              <small class={isClash ? 'clash' : undefined}>{isClash ? `Busy: ${text}` : text}</small>
            ))}
          </li>
        ))}
      </ul>
      {members ? null : <p class="hint">Choose a project to see its members.</p>}
    </fieldset>
  );
}
