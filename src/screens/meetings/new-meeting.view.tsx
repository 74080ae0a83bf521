import { reachOf } from '../../kernel/capabilities.ts';
import { wallClock } from '../../kernel/civil.ts';
import { clashesOf } from '../../meetings/clashes.ts';
import { ruleInWords } from '../../meetings/rule-words.ts';
import { Blank } from '../../web/components/blank.tsx';
import { FormProvider, useRefused, useVisit } from '../../web/components/context.ts';
import { Field, Select } from '../../web/components/field.tsx';
import { ProjectSelect } from '../../web/components/finding-select.tsx';
import { Form } from '../../web/components/form.tsx';
import { PersonName } from '../../web/components/people.tsx';
import { RichTextField } from '../../web/components/rich-text-field.tsx';
import { dayHeading } from '../../web/components/time.tsx';
import type { ViewProps } from '../../web/page-model/page.ts';
import { durations, sayMinutes } from './durations.ts';
import type { newMeetingMaybe, newMeetingParams, newMeetingReads } from './meetings.tsx';
import { proposedTime } from './proposed-time.ts';
import { rulesOf } from './rules.ts';

type Props = ViewProps<typeof newMeetingParams, typeof newMeetingReads, typeof newMeetingMaybe>;

export function NewMeetingView({ params, answers }: Props) {
  return (
    <div class="column-page">
      <header class="head">
        <h1>New meeting</h1>
      </header>
      {answers.projects.data.length === 0 ? (
        <Blank icon="calendar">
          <p>Meetings belong to a project. Join one, or make one, and come back.</p>
        </Blank>
      ) : (
        <Place params={params} answers={answers} />
      )}
      <Details params={params} answers={answers} />
    </div>
  );
}

function Place({ params, answers }: Pick<Props, 'params' | 'answers'>) {
  const { address, caller, now, today, refused } = useVisit();
  const [path] = address.split('?');
  const next = proposedTime(wallClock(now, caller.timezone));
  const { date = next.date } = params;
  const isSaid = Boolean(answers.members && params.date && params.time);
  return (
    <form method="get" action={path} class="entry-form panel padded" aria-label="Where and when">
      <FormProvider value={refused?.action === path ? refused : null}>
        <ProjectSelect
          name="project"
          label="Project"
          value={String(params.project ?? '')}
          projects={answers.projects}
          current={answers.chosen}
        />
        <Field name="date" label="Day" type="date" value={date} />
        <Field
          name="time"
          label="Time"
          type="time"
          value={params.time ?? (date === today ? next.time : '10:00')}
        />
        <Select
          name="minutes"
          label="For"
          value={String(params.minutes)}
          options={durations.map((each) => [String(each), sayMinutes(each)] as const)}
        />
        <button type="submit" class={isSaid ? 'plain' : undefined}>
          {isSaid ? 'Look again' : 'Go on'}
        </button>
      </FormProvider>
    </form>
  );
}

function Details({ params, answers: { members, day } }: Pick<Props, 'params' | 'answers'>) {
  const { base, caller, today } = useVisit();
  const { project, date, time, minutes } = params;
  if (!members || project === undefined || !date || !time) return null;
  if (!members.data.some(({ id }) => id === caller.userId)) {
    return <p>You are not in this project. Its lead can add you; then you plan its meetings.</p>;
  }
  const mayRecur = reachOf(caller, 'scheduleMeetings') === 'recurring' && caller.plan !== 'free';
  return (
    <Form
      action={`${base}/meetings`}
      class="panel padded"
      label="The meeting"
      of={{ projectId: project, date, time, minutes }}
    >
      <h2>
        {dayHeading(date, today)}, {time}, {sayMinutes(minutes)}
      </h2>
      <Field name="name" label="Name" maxlength={200} isFocused />
      <Participants members={members.data} busy={clashesOf(day?.data ?? [], { date, time, minutes })} />
      <RichTextField name="description" label="Description" rows={3} isOptional maxlength={10_000} />
      <Field name="meetingLink" label="Link" isOptional maxlength={2000} placeholder="https://…" />
      <Field name="location" label="Place" isOptional maxlength={200} />
      {mayRecur ? (
        <div class="entry-form">
          <Select
            name="recurrence"
            label="Repeat"
            options={[
              ['', 'Once'] as const,
              ...rulesOf(date).map((rule) => [rule, ruleInWords(rule)] as const),
            ]}
          />
          <Field name="until" label="Until" type="date" min={date} isOptional />
        </div>
      ) : null}
      <p>
        <button type="submit">Plan the meeting</button>
      </p>
    </Form>
  );
}

interface ParticipantsProps {
  members: readonly { readonly id: string; readonly name: string }[];
  busy: ReturnType<typeof clashesOf>;
}

function Participants({ members, busy }: ParticipantsProps) {
  const { caller } = useVisit();
  const refused = useRefused();
  const chosen = refused?.values.getAll('participantIds') ?? [caller.userId];
  return (
    <fieldset class="field">
      <legend>Participants</legend>
      {refused?.fields.participantIds ? <p class="problem">Choose at least one.</p> : null}
      <ul class="choices-list">
        {members.map((person) => (
          <li>
            <label>
              <input
                type="checkbox"
                name="participantIds"
                value={person.id}
                checked={chosen.includes(person.id)}
              />
              <PersonName person={person} />
            </label>
            {(busy.get(person.id) ?? []).map(({ text, isClash }) => (
              <small class={isClash ? 'clash' : undefined}>{isClash ? `Busy: ${text}` : text}</small>
            ))}
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
