import { unescapeHtml } from '../../oauth/flow.ts';

const tileLabels = ['Projects', 'Overdue', 'Due today', 'Due this week'] as const;
type TileLabel = (typeof tileLabels)[number];

interface LinkedCount {
  count: number;
  isAll: boolean;
  /** The URL of the linked list. Null if there is no link. */
  to: string | null;
}

export interface ShownDashboard {
  tiles: Record<TileLabel, LinkedCount>;
  due: { ids: number[]; total: LinkedCount };
  comments: number[];
  /** Each person's hours as "planned / capacity", by name. */
  hours: Record<string, string>;
  texts: Record<'workload' | 'flow' | 'comments' | 'due', string>;
}

export function readDashboard(html: string): ShownDashboard {
  const getSection = (id: string) =>
    new RegExp(`<section class="group" aria-labelledby="${id}">(.*?)</section>(?=<section|</div>)`, 's').exec(
      html,
    )?.[1] ?? '';
  const tiles = Object.fromEntries(
    tileLabels.map((label) => {
      const found = new RegExp(
        `<(?:a href="([^"]*)"[^>]*|div)><strong>([\\d,]+)(\\+?)</strong>${label}<`,
      ).exec(html);
      if (!found) throw new Error(`The page has no tile ${label}`);
      return [label, parseCount(found[2] ?? '', found[3] ?? '', found[1])];
    }),
  ) as ShownDashboard['tiles'];
  const parseIds = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, id]) => Number(id));
  const due = getSection('due');
  const total = /<a href="([^"]*)" aria-label="View all ([\d,]+)(\+?) as a list"/.exec(due);
  const hours = [
    ...getSection('workload').matchAll(
      /<summary>.*?<bdi[^>]*>(.*?)<\/bdi>.*?<span class="number[^"]*">([\d.]+ \/ [\d.]+ h)<\/span>/gs,
    ),
  ].map(([, name = '', text = '']) => [unescapeHtml(name), text]);
  const getSectionText = (id: string) =>
    unescapeHtml(getSection(id).replace(/<[^>]*>/g, ' '))
      .replace(/\s+/g, ' ')
      .trim();
  return {
    tiles,
    due: {
      ids: parseIds(due, /<a class="row-name" href="[^"]*\/tasks\/(\d+)"/g),
      total: parseCount(total?.[2] ?? '0', total?.[3] ?? '', total?.[1]),
    },
    comments: parseIds(getSection('comments'), /#comment-(\d+)"/g),
    hours: Object.fromEntries(hours),
    texts: {
      workload: getSectionText('workload'),
      flow: getSectionText('flow'),
      comments: getSectionText('comments'),
      due: getSectionText('due'),
    },
  };
}

function parseCount(digits: string, more: string, to: string | undefined): LinkedCount {
  const count = Number(digits.replaceAll(',', ''));
  return { count, isAll: more === '', to: to === undefined ? null : unescapeHtml(to) };
}
