import { Confirm } from '../../components/confirm.tsx';
import { useVisit } from '../../components/context.ts';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import type { Props } from './calendar.view.tsx';

/** The secret address for other calendars. Whoever has it reads the person's meetings and deadlines. */
export function FeedAddress({ feed }: Pick<Props['answers'], 'feed'>) {
  const { base } = useVisit();
  const action = `${base}/calendar/address`;
  return (
    <details class="edit group" data-stays>
      <summary>
        <Icon name="link" />
        Show this in another calendar
      </summary>
      {feed.madeAt === null ? (
        <Form action={action}>
          <p>
            An address that calendar apps subscribe to. It holds your meetings and your open deadlines, and
            works without signing in, so keep it to yourself.
          </p>
          <button type="submit">Make the address</button>
        </Form>
      ) : (
        <>
          {feed.address === null ? (
            <p>Your address works, but cannot be shown any more. Make a new one to see it.</p>
          ) : (
            <p class="inline grow">
              <input
                id="feed"
                type="text"
                readonly
                value={feed.address}
                aria-label="Address of your calendar"
              />
              <button type="button" class="plain" data-copy="#feed" hidden>
                Copy
              </button>
            </p>
          )}
          <p class="hint">
            Whoever has the address reads your meetings and deadlines. A new one ends the old.
          </p>
          <div class="inline">
            <Confirm label="New address…" action={action} confirm="Replace address">
              <p>Calendars that use the old address stop updating.</p>
            </Confirm>
            <Confirm label="Remove address…" action={`${action}/end`} confirm="Remove address">
              <p>Calendars that use it stop updating.</p>
            </Confirm>
          </div>
        </>
      )}
    </details>
  );
}
