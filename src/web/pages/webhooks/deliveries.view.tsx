import type * as z from 'zod';
import type { webhookDelivery, webhookDeliveryPage } from '../../../webhooks/operations/webhooks.schema.ts';
import { Form } from '../../components/form.tsx';
import { Pager } from '../../components/pager.tsx';
import { RelativeTime } from '../../components/time.tsx';

type Delivery = z.output<typeof webhookDelivery>;

interface DeliveriesSectionProps {
  deliveries: z.output<typeof webhookDeliveryPage>;
  webhookUrl: string;
  isMine: boolean;
}

export function DeliveriesSection({ deliveries, webhookUrl, isMine }: DeliveriesSectionProps) {
  return (
    <section class="group" aria-labelledby="deliveries">
      <h2 id="deliveries">
        Deliveries <span class="number">{deliveries.meta.total}</span>
      </h2>
      {deliveries.data.length === 0 ? (
        <p class="hint">No deliveries yet. Send a test, or wait for the next event.</p>
      ) : (
        <ul class="rows panel deliveries">
          {deliveries.data.map((delivery) => (
            <li>
              <DeliveryResult delivery={delivery} />
              <span class="row-name">{describeEventRange(delivery)}</span>
              <span class="row-date">
                <RelativeTime at={delivery.attemptedAt} />
              </span>
              {isMine && delivery.firstSeq !== null ? (
                <Form action={`${webhookUrl}/replay`} of={{ after: delivery.firstSeq - 1 }}>
                  <button
                    type="submit"
                    class="quiet"
                    aria-label={`Resend from event ${delivery.firstSeq}`}
                    title="Resend this event and all later events"
                  >
                    Resend
                  </button>
                </Form>
              ) : null}
              {delivery.answer ? (
                <details class="delivery-response">
                  <summary>
                    Response<span class="off-screen"> to {describeEventRange(delivery).toLowerCase()}</span>
                  </summary>
                  <pre tabindex={0}>{delivery.answer}</pre>
                </details>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      <Pager meta={deliveries.meta} />
    </section>
  );
}

function DeliveryResult({ delivery: { status, error, ms } }: { delivery: Delivery }) {
  return (
    <span class={error === null ? 'result' : 'result failed'}>
      {status ?? 'No response'} <small>{ms} ms</small>
      {error === null || error === `returned ${status}` ? null : <small> · {error}</small>}
    </span>
  );
}

function describeEventRange({ firstSeq, lastSeq }: Delivery): string {
  if (firstSeq === null) return 'Test';
  return firstSeq === lastSeq ? `Event ${firstSeq}` : `Events ${firstSeq}–${lastSeq}`;
}
