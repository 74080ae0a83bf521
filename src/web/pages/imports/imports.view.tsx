import { EmptyState } from '../../components/empty-state.tsx';
import { Pager } from '../../components/pager.tsx';
import { RelativeTime } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { describeImportProgress } from './describe-import.ts';
import type { importsParams, importsReads } from './imports.tsx';

type Props = ViewProps<typeof importsParams, typeof importsReads, Record<never, never>>;

export function ImportsView({ visit: { base }, answers: { imports } }: Props) {
  return (
    <div class="column-page">
      <header class="head">
        <h1>Imports</h1>
      </header>
      {imports.data.length === 0 ? (
        <EmptyState icon="paperclip">
          <p>
            No imports yet. Add a CSV file or the JSON export of a Trello board to a project's files, and
            choose “Import tasks” next to it.
          </p>
        </EmptyState>
      ) : (
        <ul class="rows panel">
          {imports.data.map((each) => (
            <li>
              <a class="row-name" href={`${base}/imports/${each.id}`}>
                <bdi>{each.fileName}</bdi>
              </a>
              <span class="row-detail">{describeImportProgress(each)}</span>
              <span class="row-detail wide-only">
                {each.createdBy.name}, <RelativeTime at={each.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <Pager meta={imports.meta} />
    </div>
  );
}
