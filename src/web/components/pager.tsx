import { formatNumber } from '../../kernel/text/number-format.ts';
import { useVisit } from './context.ts';
import { setQueryParameter } from './set-query-parameter.ts';

interface PagerProps {
  meta: {
    readonly total: number;
    readonly offset: number;
    readonly limit: number;
    readonly hasMore: boolean;
  };
  /** The total is exact only up to this number. */
  countedTo?: number | undefined;
}

export function Pager({ meta: { total, offset, limit, hasMore }, countedTo = total }: PagerProps) {
  const { address } = useVisit();
  if (offset === 0 && !hasMore) return null;
  const before = Math.max(0, offset - limit);
  const last = hasMore ? offset + limit : total;
  const all =
    hasMore && total > countedTo ? `${formatNumber(Math.max(countedTo, last))}+` : formatNumber(total);
  return (
    <nav class="pager" aria-label="Pages">
      {offset > 0 ? (
        <a rel="prev" href={setQueryParameter(address, 'offset', before === 0 ? null : String(before))}>
          Previous
        </a>
      ) : null}
      <span class="number">
        {formatNumber(offset + 1)}–{formatNumber(last)} of {all}
      </span>
      {hasMore ? (
        <a rel="next" href={setQueryParameter(address, 'offset', String(offset + limit))}>
          Next
        </a>
      ) : null}
    </nav>
  );
}
