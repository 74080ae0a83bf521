import type { PropsWithChildren } from 'hono/jsx';
import { getDateFormat } from '../../../kernel/dates/date-format.ts';

export function CsrfField({ token }: { token: string }) {
  return <input type="hidden" name="csrf" value={token} />;
}

export function OperatorSection({ title, children }: PropsWithChildren<{ title: string }>) {
  const id = title.toLowerCase().replaceAll(' ', '-');
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

export function OperatorTable({ columns, children }: PropsWithChildren<{ columns: readonly string[] }>) {
  return (
    <div class="wide-table" tabindex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export function UtcTime({ at }: { at: number }) {
  const date = new Date(at);
  const isThisYear = date.getUTCFullYear() === new Date().getUTCFullYear();
  const format = getDateFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  });
  return <time datetime={date.toISOString()}>{format.format(date)}</time>;
}
