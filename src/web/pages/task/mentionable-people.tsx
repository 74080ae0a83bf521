import * as z from 'zod';
import { integerId } from '../../../kernel/operation/schema.ts';
import { listMentionable } from '../../../tasks/mentions/mentionable.ts';
import { NameSuggestions, toPersonSuggestion } from '../../components/name-suggestions.tsx';
import { definePage, type ViewProps } from '../../page-model/page.ts';

const mentionableParams = z.object({ task: integerId, q: z.string().max(100).default('') });
const mentionableReads = { found: listMentionable };

/** Scripts read suggestions from this page. Without JavaScript, people copy a mention from it. */
export const mentionablePage = definePage({
  name: 'mentionable',
  path: '/tasks/:task/mentionable',
  title: () => 'Mention someone',
  params: mentionableParams,
  reads: mentionableReads,
  inputs: ({ task, q }) => ({ found: { id: task, search: q } }),
  view: MentionablePeopleView,
});

function MentionablePeopleView({
  visit,
  params: { task, q },
  answers,
}: ViewProps<typeof mentionableParams, typeof mentionableReads, Record<never, never>>) {
  const taskUrl = `${visit.base}/tasks/${task}`;
  const { people } = answers.found;
  return (
    <>
      <header class="head">
        <h1>Mention someone</h1>
        <a href={taskUrl}>Back to task</a>
      </header>
      <p>To notify someone, copy the code next to their name into your comment, including the brackets.</p>
      <form method="get" action={`${taskUrl}/mentionable`} class="filters">
        <label for="q" class="off-screen">
          Name
        </label>
        <input id="q" name="q" type="search" value={q} maxlength={100} placeholder="Name or email address" />
        <button type="submit" class="plain">
          Find
        </button>
      </form>
      {people.length === 0 ? <p>No matching people can see this task.</p> : null}
      <NameSuggestions items={people.map(toPersonSuggestion)} code={(id) => `@[${id}]`} />
    </>
  );
}
