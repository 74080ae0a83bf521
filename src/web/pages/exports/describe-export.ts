import { formatCount } from '../../../kernel/text/number-format.ts';
import { formatBytes } from '../files/format-bytes.ts';
import type { ListedExport } from './exports.view.tsx';

export function describeExport({ status, progress, bytes, includesFiles, problem }: ListedExport): string {
  switch (status) {
    case 'running':
      return `${formatCount(progress.records, 'record')}, ${formatCount(progress.files, 'file')} so far`;
    case 'completed':
      return `${formatBytes(bytes)}, ${includesFiles ? formatCount(progress.files, 'file') : 'without files'}`;
    case 'failed':
      return `Failed. ${problem ?? ''}`.trim();
  }
}
