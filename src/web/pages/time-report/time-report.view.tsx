import { FormProvider } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { DateFilter } from '../../components/filters.tsx';
import { Pager } from '../../components/pager.tsx';
import { Duration } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { getReportDateRange, type reportParams, type reportReads } from './time-report.reads.ts';

type Props = ViewProps<typeof reportParams, typeof reportReads, Record<never, never>>;

export function TimeReportView({
  visit: { base, address, today, rejected },
  params,
  answers: { report },
}: Props) {
  const { from, to } = getReportDateRange(params, today);
  const [path, query] = address.split('?');
  const totalSeconds = report.data.reduce((sum, { seconds }) => sum + seconds, 0);
  return (
    <>
      <header class="head">
        <h1>Time report</h1>
        <a href={`${base}/time`}>My time</a>
        <a href={`${base}/time-report.csv${query ? `?${query}` : ''}`} data-no-prefetch>
          Export CSV
        </a>
      </header>
      <form method="get" action={path} class="filters" aria-label="Days" data-auto>
        <FormProvider value={rejected?.action === path ? rejected : null}>
          <DateFilter name="from" label="From" value={from} />
          <DateFilter name="to" label="to" ariaLabel="To" value={to} />
          <button type="submit" class="plain auto">
            Show
          </button>
        </FormProvider>
      </form>
      {report.data.length === 0 ? (
        <EmptyState icon="clock">
          <p>No time logged in this period.</p>
        </EmptyState>
      ) : (
        <div class="panel scroll-x">
          <table class="data">
            <thead>
              <tr>
                <th scope="col" class="name">
                  Project
                </th>
                <th scope="col">Person</th>
                <th scope="col" class="number">
                  Hours
                </th>
              </tr>
            </thead>
            <tbody>
              {report.data.map(({ project, person, seconds }, index) => (
                <tr>
                  <td class="name">
                    {project.id === report.data[index - 1]?.project.id ? (
                      <span class="off-screen">{project.name}</span>
                    ) : (
                      <a href={`${base}/projects/${project.id}`}>{project.name}</a>
                    )}
                  </td>
                  <td>
                    <bdi>{person.name}</bdi>
                  </td>
                  <td class="number">
                    <Duration seconds={seconds} />
                  </td>
                </tr>
              ))}
            </tbody>
            {report.meta.total > report.data.length ? null : (
              <tfoot>
                <tr>
                  <th scope="row" colspan={2} class="name">
                    Total
                  </th>
                  <td class="number">
                    <Duration seconds={totalSeconds} />
                  </td>
                </tr>
              </tfoot>
            )}
          </table>
        </div>
      )}
      <Pager meta={report.meta} />
    </>
  );
}
