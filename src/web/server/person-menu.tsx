import { Icon } from '../components/icon.tsx';
import type { IconName } from '../components/icon-names.ts';
import { Avatar } from '../components/people.tsx';
import { SiteForm } from '../components/site-form.tsx';
import type { Visit } from '../page-model/page.ts';
import { SignOutForm } from './layout.tsx';
import { getAriaCurrent, workspaceSettingsItem } from './navigation.ts';

const themes = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

export function PersonMenu({ visit }: { visit: Visit }) {
  const { base, caller, browser, address, theme } = visit;
  const [path = ''] = address.split('?');
  const person = { id: caller.userId, name: caller.name, image: caller.image };
  return (
    <nav class="sidebar-footer" aria-label="Account">
      <button type="button" class="person" popovertarget="person-menu" title="Settings and account">
        <Avatar person={person} hasVisibleName />
        <bdi class="label">{caller.name}</bdi>
        <Icon name="chevrons-up-down" />
      </button>
      <div id="person-menu" popover="auto" class="menu">
        <p class="menu-title">
          <bdi>{caller.email}</bdi> <small>{caller.role}</small>
        </p>
        <ul class="nav-links">
          <MenuLink
            href={base + workspaceSettingsItem.path}
            icon="settings"
            label="Settings"
            current={getAriaCurrent(path, base, workspaceSettingsItem)}
          />
          <MenuLink href="/account" icon="circle-user-round" label="Your account" />
          <MenuLink
            href={`/connected-apps?workspace=${encodeURIComponent(caller.workspaceId)}`}
            icon="key-round"
            label="Connected apps"
          />
          <MenuLink href={`${base}/shortcuts`} icon="keyboard" label="Keyboard shortcuts" shortcut="?" />
        </ul>
        <SiteForm action="/appearance" browser={browser} class="appearance" of={{ back: address }}>
          <button type="submit" class="quiet for-wide" name="sidebar" value="narrow" aria-keyshortcuts="[">
            <Icon name="panel-left" />
            Collapse sidebar
            <kbd>[</kbd>
          </button>
          <button type="submit" class="quiet for-narrow" name="sidebar" value="wide" aria-keyshortcuts="[">
            <Icon name="panel-left" />
            Expand sidebar
            <kbd>[</kbd>
          </button>
          <fieldset class="segments">
            <legend class="off-screen">Theme</legend>
            {themes.map(([value, label]) => (
              <button
                type="submit"
                class="quiet"
                name="theme"
                value={value}
                aria-pressed={value === theme ? 'true' : 'false'}
              >
                {label}
              </button>
            ))}
          </fieldset>
        </SiteForm>
        <SignOutForm browser={browser} />
      </div>
    </nav>
  );
}

interface MenuLinkProps {
  href: string;
  icon: IconName;
  label: string;
  shortcut?: string;
  current?: ReturnType<typeof getAriaCurrent>;
}

function MenuLink({ href, icon, label, shortcut, current }: MenuLinkProps) {
  return (
    <li>
      <a href={href} aria-current={current} aria-keyshortcuts={shortcut}>
        <Icon name={icon} />
        {label}
        {shortcut ? <kbd>{shortcut}</kbd> : null}
      </a>
    </li>
  );
}
