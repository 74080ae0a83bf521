import { z } from 'zod';

export const PAGE_LIMIT_DEFAULT = 25;
export const PAGE_LIMIT_MAX = 100;

/** Spread into the input of every paginated list. */
export const pageInput = {
  limit: z
    .int()
    .min(1)
    .max(PAGE_LIMIT_MAX)
    .default(PAGE_LIMIT_DEFAULT)
    .meta({ description: 'Items a page.', example: 25 }),
  offset: z.int().min(0).default(0).meta({ description: 'Matches to skip.', example: 0 }),
};

export interface Page {
  limit: number;
  offset: number;
}

export const pageMeta = z
  .object({
    total: z.int().meta({ description: 'Matches in all, exact.' }),
    limit: z.int(),
    offset: z.int(),
    hasMore: z.boolean().meta({ description: 'More matches follow this page.' }),
  })
  .meta({ id: 'PageMeta' });

/** The list envelope of spec 2.1. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), meta: pageMeta });
}

export function page<T>(data: T[], total: number, { limit, offset }: Page) {
  return { data, meta: { total, limit, offset, hasMore: offset + data.length < total } };
}
