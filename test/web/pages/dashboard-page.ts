import { unescapeHtml } from '../../oauth/flow.ts';

const tileLabels = ['Projects', 'Overdue', 'Due today', 'Due this week'] as const;
type TileLabel = (typeof tileLabels)[number];

interface Counted {
  count: number;
  isAll: boolean;
  /** Address of the linked list, or null without a link. */
  to: string | null;
}

export interface ShownDashboard {
  tiles: Record<TileLabel, Counted>;
  due: { ids: number[]; total: Counted };
  comments: number[];
  /** "planned / capacity" by the person's name. */
  hours: Record<string, string>;
  texts: Record<'workload' | 'flow' | 'comments' | 'due', string>;
}

export function readDashboard(html: string): ShownDashboard {
  const part = (id: string) =>
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
  const ids = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, id]) => Number(id));
  const due = part('due');
  const total = /<a href="([^"]*)" aria-label="View ([\d,]+)(\+?) as a list"/.exec(due);
  const hours = [
    ...part('workload').matchAll(
      /<summary>.*?<bdi[^>]*>(.*?)<\/bdi>.*?<span class="number[^"]*">([\d.]+ \/ [\d.]+ h)<\/span>/gs,
    ),
  ].map(([, name = '', text = '']) => [unescapeHtml(name), text]);
  const textOf = (id: string) =>
    unescapeHtml(part(id).replace(/<[^>]*>/g, ' '))
      .replace(/\s+/g, ' ')
      .trim();
  return {
    tiles,
    due: {
      ids: ids(due, /<a class="row-name" href="[^"]*\/tasks\/(\d+)"/g),
      total: parseCount(total?.[2] ?? '0', total?.[3] ?? '', total?.[1]),
    },
    comments: ids(part('comments'), /#comment-(\d+)"/g),
    hours: Object.fromEntries(hours),
    texts: {
      workload: textOf('workload'),
      flow: textOf('flow'),
      comments: textOf('comments'),
      due: textOf('due'),
    },
  };
}

function parseCount(digits: string, more: string, to: string | undefined): Counted {
  const count = Number(digits.replaceAll(',', ''));
  return { count, isAll: more === '', to: to === undefined ? null : unescapeHtml(to) };
}
