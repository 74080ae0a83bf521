import type * as z from 'zod';
import type { listLatestComments } from '../../../dashboard/comments/latest-comments.ts';
import { reachOf } from '../../../kernel/access/capabilities.ts';
import { LOOKED_AT } from '../../../kernel/lists/count-so-far.ts';
import { wholeNumber } from '../../../kernel/text/number-format.ts';
import { useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Avatar } from '../../components/people.tsx';
import { Dot } from '../../components/status-and-priority.tsx';
import { TextWithMentions } from '../../components/text-with-mentions.tsx';
import { Ago, Due } from '../../components/time.tsx';
import type { DashboardParams } from './dashboard.tsx';
import type { Props } from './dashboard.view.tsx';
import { daysChosen, lastDayAhead, TASKS_SHOWN } from './days-shown.ts';
import { listBehind } from './list-behind.ts';
import { Part } from './part.view.tsx';

/** The next two weeks, or the days of the filter. */
export function Deadlines({ params, answers: { due } }: Pick<Props, 'params' | 'answers'>) {
  const { base, today } = useVisit();
  const { from, to, q } = params;
  const { count, isAll } = due.total;
  // What a text finds is looked at by age: nearer deadlines may be missing in a full list, too.
  const isFull = due.data.length === TASKS_SHOWN && q === undefined;
  const isWhole = isFull || (isAll && due.data.length === Math.min(count, TASKS_SHOWN));
  const days = from || to ? { from, to } : { from: today, to: lastDayAhead(today) };
  return (
    <Part
      id="due"
      title={from || to ? 'Deadlines' : 'Deadlines of the next two weeks'}
      days={daysChosen(params, today)}
      number={`${wholeNumber(count)}${isAll ? '' : '+'}`}
      to={listBehind(base, params, days, { sort: 'due' })}
    >
      {due.data.length === 0 ? (
        <EmptyState icon="calendar">
          {isFiltered(params) ? 'Nothing that fits is due' : 'Nothing is due'}{' '}
          {from || to ? 'on these days.' : 'in the next two weeks.'}
        </EmptyState>
      ) : (
        <ul class="rows panel">
          {due.data.map((task) => (
            <li>
              <Dot color={task.status.color} />
              <a class="row-name" href={`${base}/tasks/${task.id}`}>
                {task.title}
              </a>
              <span class="row-fact row-project wide-only">{task.project.name}</span>
              {task.assignee ? <Avatar person={task.assignee} /> : null}
              <span class="row-date">
                {task.deadline ? (
                  <Due date={task.deadline} isDone={task.status.value === 'completed'} />
                ) : null}
              </span>
            </li>
          ))}
        </ul>
      )}
      {isWhole ? null : (
        <p class="hint">
          {q
            ? `Of the newest ${LOOKED_AT.tasks} tasks that say it. There may be more.`
            : 'Only the next deadlines were looked at. There may be more.'}
        </p>
      )}
    </Part>
  );
}

function isFiltered({ mode: _mode, ...filters }: DashboardParams): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

interface CommentsProps {
  comments: z.output<typeof listLatestComments.output>;
  params: DashboardParams;
}

export function Comments({ comments: { data, isCut }, params }: CommentsProps) {
  const { base, caller, today } = useVisit();
  if (data.length === 0 && !(isFiltered(params) && reachOf(caller, 'seeDashboardComments') !== 'none'))
    return null;
  return (
    <Part id="comments" title="Latest comments" days={daysChosen(params, today)}>
      {data.length === 0 ? (
        <EmptyState icon="message-square">No comment fits.</EmptyState>
      ) : (
        <ul class="rows panel">
          {data.map((comment) => (
            <li>
              <Avatar person={comment.author} />
              <a class="row-name" href={`${base}/tasks/${comment.task.id}#comment-${comment.id}`}>
                <TextWithMentions text={comment.content} />
              </a>
              <span class="row-fact">
                <Ago at={comment.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {isCut ? (
        <p class="hint">Of the newest {LOOKED_AT.comments} that may say it. There may be more.</p>
      ) : null}
    </Part>
  );
}
