import type { Child } from 'hono/jsx';
import type * as z from 'zod';
import type { listExports } from '../../../exports/operations/exports.ts';
import { getReach } from '../../../kernel/access/capabilities.ts';
import { Confirmation } from '../../components/confirmation.tsx';
import { useVisit } from '../../components/context.ts';
import { Form } from '../../components/form.tsx';
import { SettingsNavigation } from '../../components/settings-navigation.tsx';
import { RelativeTime } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { describeExport } from './describe-export.ts';
import type { exportsParams, exportsReads } from './exports.tsx';

type Props = ViewProps<typeof exportsParams, typeof exportsReads, Record<never, never>>;
export type ListedExport = z.output<typeof listExports.output>['data'][number];

export function ExportsView({ visit: { caller }, answers: { exports } }: Props) {
  const isRunning = exports.data.some(({ status }) => status === 'running');
  return (
    <div class="settings" data-updates={isRunning ? '' : undefined}>
      <header class="head">
        <h1>Export</h1>
      </header>
      <SettingsNavigation />
      {getReach(caller, 'exportWorkspace') === 'all' ? (
        <ExportSection contents="workspace" title="Workspace" exports={exports.data}>
          Download everything in the workspace as a zip file: people, projects, tasks, comments, time, history
          and files. <a href="/docs/exports">What it contains</a>
        </ExportSection>
      ) : null}
      <ExportSection contents="own" title="Your data" exports={exports.data}>
        Download what you have created here as a zip file: your tasks, comments, time, files, filters and
        history. Only you can see this export. <a href="/account#data">Your account's data</a>
      </ExportSection>
      <p class="hint">Exports are deleted after 24 hours.</p>
    </div>
  );
}

interface ExportSectionProps {
  readonly contents: ListedExport['contents'];
  readonly title: string;
  readonly exports: readonly ListedExport[];
  readonly children: Child;
}

function ExportSection({ contents, title, exports, children }: ExportSectionProps) {
  const { base } = useVisit();
  const found = exports.filter((each) => each.contents === contents);
  return (
    <section aria-labelledby={`${contents}-export`}>
      <h2 id={`${contents}-export`}>{title}</h2>
      <p>{children}</p>
      {found.length === 0 ? null : (
        <ul class="rows exports panel">
          {found.map((each) => (
            <ExportRow found={each} />
          ))}
        </ul>
      )}
      {found.some(({ status }) => status === 'running') ? (
        <p class="hint">
          You can leave this page. The export continues in the background.
          <noscript> Reload the page to see its progress.</noscript>
        </p>
      ) : (
        <Form action={`${base}/exports`} class="panel padded" of={{ contents }}>
          <label class="check">
            <input type="checkbox" name="includeFiles" value="true" checked />
            Include {contents === 'own' ? 'the files that you added' : 'attached files'}
          </label>
          <button type="submit">{contents === 'own' ? 'Export your data' : 'Start export'}</button>
        </Form>
      )}
    </section>
  );
}

function ExportRow({ found }: { found: ListedExport }) {
  const { base } = useVisit();
  const { id, contents, status, progress, createdAt, createdBy } = found;
  return (
    <li id={`export-${id}`}>
      <span class="row-name wraps">
        {contents === 'own' ? (
          'Started '
        ) : (
          <>
            Started by <bdi>{createdBy.name}</bdi>,{' '}
          </>
        )}
        <RelativeTime at={createdAt} />
      </span>
      <span class="row-detail" aria-live="polite">
        {describeExport(found)}
      </span>
      {status === 'running' ? (
        <progress max={progress.stepsTotal} value={progress.stepsDone} aria-label="Progress" />
      ) : null}
      {status === 'completed' ? (
        <a class="button" href={`${base}/exports/${id}/download`} data-no-prefetch>
          Download
        </a>
      ) : null}
      <Confirmation
        label={status === 'running' ? 'Cancel export' : 'Delete export'}
        isInRow
        action={`${base}/exports/${id}/delete`}
        confirm={status === 'running' ? 'Cancel export' : 'Delete export'}
      >
        <p>
          {status === 'running'
            ? 'This stops the export and deletes what it has written.'
            : 'This deletes the zip file. Links to it stop working.'}
        </p>
      </Confirmation>
    </li>
  );
}
