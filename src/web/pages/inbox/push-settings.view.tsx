import type * as z from 'zod';
import {
  type NotificationType,
  notificationTypes,
} from '../../../notifications/inbox/notifications.schema.ts';
import type { pushSettings } from '../../../notifications/push/push.schema.ts';
import { useRejectedForm, useVisit } from '../../components/context.ts';
import { Form } from '../../components/form.tsx';

interface PushSectionProps {
  settings: z.output<typeof pushSettings>;
  labels: Readonly<Record<NotificationType, string>>;
}

/** src/web/client/push.ts shows the button that turns on push, because only a script can ask for permission. */
export function PushSection({ settings: { serverKey, endpointHash, types }, labels }: PushSectionProps) {
  const { base } = useVisit();
  if (serverKey === null) {
    return (
      <>
        <h2>Push</h2>
        <p class="hint">Push notifications aren't set up on this server.</p>
      </>
    );
  }
  return (
    <>
      <h2>Push</h2>
      <p class="hint">
        Get unread notifications on this device within a minute, even when Edgework is closed. They stop when
        you sign out, and return when you sign in again.
      </p>
      <div class="panel padded" id="push" data-server-key={serverKey} data-endpoint-hash={endpointHash}>
        {endpointHash === null ? <TurnedOff /> : <TurnedOn />}
        <TurnOnForm />
        <p id="push-message" role="status" data-kept="" />
      </div>
      <Form action={`${base}/inbox/push/types`} class="panel padded" label="Push notifications">
        <fieldset class="field">
          <legend>Push notifications about</legend>
          <ul class="choices-list">
            {notificationTypes.map((type) => (
              <TypeCheckbox type={type} label={labels[type]} isChosen={types.includes(type)} />
            ))}
          </ul>
        </fieldset>
        <button type="submit">Save</button>
      </Form>
    </>
  );
}

function TurnedOn() {
  const { base } = useVisit();
  return (
    <>
      <p>Push notifications are on in this browser.</p>
      <div class="row">
        <Form action={`${base}/inbox/push/test`}>
          <button type="submit" class="plain">
            Send a test
          </button>
        </Form>
        <Form action={`${base}/inbox/push/off`}>
          <button type="submit" class="plain">
            Turn off for this browser
          </button>
        </Form>
      </div>
    </>
  );
}

function TurnedOff() {
  return (
    <>
      <p>Push notifications are off in this browser.</p>
      <noscript>
        <p>To turn them on, enable JavaScript.</p>
      </noscript>
    </>
  );
}

function TurnOnForm() {
  const { base } = useVisit();
  return (
    <Form action={`${base}/inbox/push`}>
      {['endpoint', 'p256dh', 'auth', 'serverKey'].map((name) => (
        <input type="hidden" name={name} value="" />
      ))}
      <button type="button" data-push="on" hidden>
        Turn on for this browser
      </button>
    </Form>
  );
}

interface TypeCheckboxProps {
  type: NotificationType;
  label: string;
  isChosen: boolean;
}

function TypeCheckbox({ type, label, isChosen }: TypeCheckboxProps) {
  const rejected = useRejectedForm();
  return (
    <li>
      <label>
        <input
          type="checkbox"
          name="types"
          value={type}
          checked={rejected ? rejected.values.getAll('types').includes(type) : isChosen}
        />
        {label}
      </label>
    </li>
  );
}
