import type { Child } from 'hono/jsx';
import type * as z from 'zod';
import type { unreadCount } from '../../notifications/inbox/notifications.schema.ts';
import type { timeEntry } from '../../time/tracking/time-tracking.schema.ts';
import { VisitProvider } from '../components/context.ts';
import { Alert } from '../components/field.tsx';
import { FlashToast } from '../components/flash-toast.tsx';
import { Icon } from '../components/icon.tsx';
import { RunningTimer } from '../components/running-timer.tsx';
import { assets } from '../page-model/assets.ts';
import type { RejectedForm, Visit } from '../page-model/page.ts';
import { EnteredValues } from './entered-values.tsx';
import { Brand, Document, SignOut } from './layout.tsx';
import { navigation } from './navigation.ts';

export interface FrameAnswers {
  readonly timer: z.output<typeof timeEntry> | null;
  readonly unread: z.output<typeof unreadCount> | null;
  /** The newest event that the page contains. */
  readonly seq: number | null;
}

interface WorkspaceFrameProps {
  title: string;
  visit: Visit;
  frame: FrameAnswers;
  script: string;
  hasCommonStyles?: boolean | undefined;
  gone?: RejectedForm | undefined;
  isProblem?: boolean;
  children: Child;
}

export function WorkspaceFrame({
  title,
  visit,
  frame,
  script,
  hasCommonStyles,
  gone,
  isProblem,
  children,
}: WorkspaceFrameProps) {
  const { caller, base } = visit;
  return (
    <VisitProvider value={visit}>
      <Document
        title={`${title} · ${caller.workspaceName}`}
        scripts={[script]}
        hasCommonStyles={hasCommonStyles}
        kind="screen"
        later={assets.deferred}
        isProblem={isProblem}
      >
        <header class="bar">
          <button type="button" class="quiet menu-button" popovertarget="menu" aria-label="Menu">
            <Icon name="menu" />
          </button>
          <Brand href={base} />
          <RunningTimer entry={frame.timer} />
        </header>
        <Sidebar visit={visit} unread={frame.unread?.count ?? 0} />
        <main id="content">
          {gone ? <DetachedFormErrors refused={gone} /> : null}
          {children}
        </main>
        <FlashToast />
        <output id="toast" class="toast" aria-live="polite" />
      </Document>
    </VisitProvider>
  );
}

function DetachedFormErrors({ refused: { message, fields, values } }: { refused: RejectedForm }) {
  return (
    <>
      <Alert message={message ?? Object.values(fields)[0]} />
      <EnteredValues form={values} />
    </>
  );
}

function Sidebar({ visit, unread }: { visit: Visit; unread: number }) {
  const { base, caller, browser, address } = visit;
  const [path = '', query] = address.split('?');
  // The task list of a project highlights Projects, like the project's board.
  const isOfProject = path === `${base}/tasks` && !!new URLSearchParams(query).get('project');
  const here = isOfProject ? `${base}/projects/tasks` : path;
  return (
    <div id="menu" popover="auto" class="side">
      <nav aria-label="Workspace">
        <a class="workspace" href="/app/workspaces" title="Your workspaces">
          <bdi>{caller.workspaceName}</bdi>
        </a>
        {navigation.map((group) => (
          <ul class="nav-links">
            {group.map(({ path, also, icon, label, key }) => (
              <li>
                <a
                  href={base + path}
                  aria-current={getAriaCurrent(here, base, [path, ...(also ?? [])])}
                  aria-keyshortcuts={key}
                >
                  <Icon name={icon} />
                  {label}
                  {path === '/inbox' && unread > 0 ? (
                    <span class="count" title={`${unread} unread`}>
                      {unread}
                    </span>
                  ) : null}
                  {key ? <kbd>{key}</kbd> : null}
                </a>
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <nav class="side-end" aria-label="Account">
        <p class="person">
          <bdi>{caller.name}</bdi>
          <small>{caller.role}</small>
        </p>
        <ul class="nav-links">
          <li class="wide-only">
            <a href={`${base}/shortcuts`} aria-keyshortcuts="?">
              <Icon name="keyboard" />
              Shortcuts
              <kbd>?</kbd>
            </a>
          </li>
          <li>
            <a href="/account">
              <Icon name="circle-user-round" />
              Your account
            </a>
          </li>
          <li>
            <a href={`/connected-apps?workspace=${encodeURIComponent(caller.workspaceId)}`}>
              <Icon name="key-round" />
              Connected apps
            </a>
          </li>
          <li>
            <SignOut browser={browser} />
          </li>
        </ul>
      </nav>
    </div>
  );
}

function getAriaCurrent(here: string, base: string, [path, ...also]: readonly string[]) {
  if (here === `${base}${path}`) return 'page';
  return [path, ...also].some((each) => each && `${here}/`.startsWith(`${base}${each}/`))
    ? 'true'
    : undefined;
}
