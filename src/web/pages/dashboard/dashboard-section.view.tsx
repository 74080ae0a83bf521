import type { Child } from 'hono/jsx';

interface DashboardSectionProps {
  id: string;
  title: string;
  days?: string;
  number?: string;
  to?: string;
  children: Child;
}

export function DashboardSection({ id, title, days, number, to, children }: DashboardSectionProps) {
  return (
    <section class="group" aria-labelledby={id}>
      <h2 id={id}>
        {title} {days ? <span class="number">{days}</span> : null}{' '}
        {number && to ? (
          <a href={to} aria-label={`View all ${number} as a list`}>
            <span class="number">{number}</span>
          </a>
        ) : null}
      </h2>
      {children}
    </section>
  );
}
