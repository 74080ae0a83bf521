import type { Child } from 'hono/jsx';

interface PartProps {
  id: string;
  title: string;
  /** The days that it is about. */
  days?: string;
  number?: string;
  /** The list behind the number. */
  to?: string;
  children: Child;
}

export function Part({ id, title, days, number, to, children }: PartProps) {
  return (
    <section class="group" aria-labelledby={id}>
      <h2 id={id}>
        {title} {days ? <span class="number">{days}</span> : null}{' '}
        {number && to ? (
          <a href={to} aria-label={`${number} as a list`}>
            <span class="number">{number}</span>
          </a>
        ) : null}
      </h2>
      {children}
    </section>
  );
}
