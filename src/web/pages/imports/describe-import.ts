import type * as z from 'zod';
import type { listImports } from '../../../imports/operations/imports.ts';
import { formatCount, formatNumber } from '../../../kernel/text/number-format.ts';

type ListedImport = z.output<typeof listImports.output>['data'][number];

export function describeProgress({ status, total, existing, made }: ListedImport): string {
  switch (status) {
    case 'ready':
      return `Not started, ${formatCount(total, 'task')}`;
    case 'running':
      return `${formatNumber(existing + made)} of ${formatCount(total, 'task')}`;
    case 'completed':
      return `${formatCount(made, 'task')} imported`;
    case 'canceled':
      return `Canceled after ${formatCount(made, 'task')}`;
    case 'failed':
      return `Failed after ${formatCount(made, 'task')}`;
  }
}
