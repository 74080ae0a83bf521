import { useVisit } from './context.ts';

interface CalendarTabsProps {
  here: 'Month' | 'Week' | 'Timeline';
  day: string | undefined;
  isEveryone: boolean;
  project: number | undefined;
}

/** The calendar shows only a person's own tasks by default, and the timeline shows everyone's. */
export function CalendarTabs({ here, day, isEveryone, project }: CalendarTabsProps) {
  const { base } = useVisit();
  const buildUrl = (path: string, query: Record<string, string | undefined>) => {
    const all = { ...query, day, project: project?.toString() };
    const set = Object.entries(all).filter((each): each is [string, string] => each[1] !== undefined);
    return set.length === 0 ? base + path : `${base}${path}?${new URLSearchParams(set)}`;
  };
  const who = isEveryone ? 'all' : undefined;
  const tabs = [
    ['Month', buildUrl('/calendar', { view: 'month', who })],
    ['Week', buildUrl('/calendar', { view: 'week', who })],
    ['Timeline', buildUrl('/timeline', { who: isEveryone ? undefined : 'me' })],
  ] as const;
  return (
    <nav class="tabs" aria-label="View">
      {tabs.map(([label, address]) => (
        <a href={address} aria-current={label === here ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
