import { Confirmation } from '../../components/confirmation.tsx';
import { useVisit } from '../../components/context.ts';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import type { Props } from './calendar.view.tsx';

export function CalendarLinkSection({ feed }: Pick<Props['answers'], 'feed'>) {
  const { base } = useVisit();
  const action = `${base}/calendar/address`;
  return (
    <details class="edit group" data-stays-open>
      <summary>
        <Icon name="link" />
        Subscribe to calendar
      </summary>
      {feed.madeAt === null ? (
        <Form action={action}>
          <p>
            See your meetings and open deadlines in any calendar app. The link works without signing in, so
            keep it private.
          </p>
          <button type="submit">Create calendar link</button>
        </Form>
      ) : (
        <>
          {feed.address === null ? (
            <p>Your calendar link is active but can't be shown again. Replace it to get a new one.</p>
          ) : (
            <p class="inline grow">
              <input id="feed" type="text" readonly value={feed.address} aria-label="Calendar link" />
              <button type="button" class="plain" data-copy="#feed" hidden>
                Copy
              </button>
            </p>
          )}
          <p class="hint">Anyone with this link can see your meetings and deadlines.</p>
          <div class="inline">
            <Confirmation label="Replace link…" action={action} confirm="Replace link">
              <p>Calendar apps that use the old link will stop updating.</p>
            </Confirmation>
            <Confirmation label="Remove link…" action={`${action}/end`} confirm="Remove link">
              <p>Calendar apps that use this link will stop updating.</p>
            </Confirmation>
          </div>
        </>
      )}
    </details>
  );
}
