import { useVisit } from './context.ts';

const tabs = [
  ['/settings', 'Workspace'],
  ['/categories', 'Categories'],
] as const;

/** The pages that say how a workspace works. */
export function SettingsTabs() {
  const { base, address } = useVisit();
  const [here] = address.split('?');
  return (
    <nav class="tabs" aria-label="Settings">
      {tabs.map(([path, label]) => (
        <a href={base + path} aria-current={here === base + path ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
