import { useVisit } from './context.ts';

interface ProjectTabsProps {
  project: number;
  here: 'Board' | 'List' | 'Timeline' | 'Files' | 'Settings';
}

export function ProjectTabs({ project, here }: ProjectTabsProps) {
  const { base } = useVisit();
  const projectUrl = `${base}/projects/${project}`;
  const tabs = [
    ['Board', projectUrl],
    ['List', `${base}/tasks?project=${project}`],
    ['Timeline', `${base}/timeline?project=${project}`],
    ['Files', `${projectUrl}/files`],
    ['Settings', `${projectUrl}/settings`],
  ] as const;
  return (
    <nav class="tabs" aria-label="Project views">
      {tabs.map(([label, address]) => (
        <a href={address} aria-current={label === here ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
