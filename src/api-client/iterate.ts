import type { Input } from './call-operation.ts';
import type { CallOptions } from './types.ts';

/** Every list accepts this limit with every parameter. */
const PAGE_LIMIT = 50;
const WAIT_SECONDS = 25;

interface ItemPage {
  readonly value: unknown;
  readonly cursor: string | null;
}

export async function* iteratePages(
  readPage: (input: Input) => Promise<ItemPage>,
  input: Input = {},
): AsyncGenerator<unknown, void, undefined> {
  let { cursor, ...rest } = { limit: PAGE_LIMIT, ...input } as Input;
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

/** Waits for events forever, until the caller stops reading or aborts. Without `after`, starts with the next event. */
export async function* iterateEvents(
  listEvents: (input: Input, options?: CallOptions) => Promise<unknown>,
  { after, ...rest }: Input = {},
  options?: CallOptions,
): AsyncGenerator<unknown, void, undefined> {
  const read = async (input: Input) => (await listEvents({ ...rest, ...input }, options)) as EventPage;
  let next = after ?? (await read({})).meta.nextAfter;
  for (;;) {
    const { data, meta } = await read({ wait: rest.wait ?? WAIT_SECONDS, after: next });
    yield* data;
    next = meta.nextAfter;
  }
}
