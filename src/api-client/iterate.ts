import type { OperationInput } from './call-operation.ts';
import type { CallOptions } from './types.ts';

/** Every list accepts this limit, whatever its other parameters are. */
const ITEMS_PER_PAGE = 50;
const LONG_POLL_SECONDS = 25;

interface ItemPage {
  readonly value: unknown;
  readonly cursor: string | null;
}

export async function* iteratePages(
  readPage: (input: OperationInput) => Promise<ItemPage>,
  input: OperationInput = {},
): AsyncGenerator<unknown, void, undefined> {
  let { cursor, ...rest } = { limit: ITEMS_PER_PAGE, ...input } as OperationInput;
  do {
    const page = await readPage({ ...rest, cursor });
    yield* (page.value as { data: unknown[] }).data;
    cursor = page.cursor ?? undefined;
    // A cursor and an offset can't be combined.
    rest = { ...rest, offset: undefined };
  } while (cursor !== undefined);
}

interface EventPage {
  readonly data: readonly unknown[];
  readonly meta: { readonly nextAfter: number };
}

/** Yields events until the caller stops reading or aborts. Without `after`, starts with the next event. */
export async function* iterateEvents(
  listEvents: (input: OperationInput, options?: CallOptions) => Promise<unknown>,
  { after, ...rest }: OperationInput = {},
  options?: CallOptions,
): AsyncGenerator<unknown, void, undefined> {
  const read = async (input: OperationInput) =>
    (await listEvents({ ...rest, ...input }, options)) as EventPage;
  let next = after ?? (await read({})).meta.nextAfter;
  for (;;) {
    const { data, meta } = await read({ wait: rest.wait ?? LONG_POLL_SECONDS, after: next });
    yield* data;
    next = meta.nextAfter;
  }
}
