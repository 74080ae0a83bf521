import type { Child } from 'hono/jsx';
import type * as z from 'zod';
import type { BoundedCount } from '../../kernel/lists/bounded-count.ts';
import type { getSidebar } from '../../search/lookup/sidebar.ts';
import type { timeEntry } from '../../time/tracking/time-tracking.schema.ts';
import { VisitProvider } from '../components/context.ts';
import { Alert } from '../components/field.tsx';
import { FlashToast } from '../components/flash-toast.tsx';
import { RunningTimer } from '../components/running-timer.tsx';
import { assets } from '../page-model/assets.ts';
import type { RejectedForm, Visit } from '../page-model/page.ts';
import { EnteredValues } from './entered-values.tsx';
import { HtmlDocument } from './layout.tsx';
import { BottomBar, Sidebar } from './sidebar.tsx';

export interface FrameAnswers {
  readonly timer: z.output<typeof timeEntry> | null;
  readonly unread: BoundedCount | null;
  readonly seq: number | null;
  readonly sidebar: z.output<(typeof getSidebar)['output']> | null;
}

interface WorkspaceFrameProps {
  title: string;
  visit: Visit;
  frame: FrameAnswers;
  script: string;
  hasCommonStyles?: boolean | undefined;
  hasTaskPanel?: boolean | undefined;
  detachedForm?: RejectedForm | undefined;
  isProblem?: boolean;
  children: Child;
}

export function WorkspaceFrame({
  title,
  visit,
  frame,
  script,
  hasCommonStyles,
  hasTaskPanel,
  detachedForm,
  isProblem,
  children,
}: WorkspaceFrameProps) {
  const unread = frame.unread?.count ?? 0;
  return (
    <VisitProvider value={visit}>
      <HtmlDocument
        title={`${title} · ${visit.caller.workspaceName}`}
        scripts={[script]}
        hasCommonStyles={hasCommonStyles}
        kind="screen"
        later={assets.deferred}
        hasTaskPanel={hasTaskPanel}
        isProblem={isProblem}
      >
        <Sidebar visit={visit} unread={unread} lists={frame.sidebar} />
        <header class="top-bar">
          <RunningTimer entry={frame.timer} />
        </header>
        <main id="content">
          {detachedForm ? <DetachedFormErrors rejected={detachedForm} /> : null}
          {children}
        </main>
        <BottomBar visit={visit} unread={unread} />
        <FlashToast />
        <output id="toast" class="toast" aria-live="polite" />
      </HtmlDocument>
    </VisitProvider>
  );
}

function DetachedFormErrors({ rejected: { message, fields, values } }: { rejected: RejectedForm }) {
  return (
    <>
      <Alert message={message ?? Object.values(fields)[0]} />
      <EnteredValues form={values} />
    </>
  );
}
