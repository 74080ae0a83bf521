// Shows the minimum cost of a request: sends the recorded statements in the same batches, and returns their rows as
// JSON.
export interface RecordedRequest {
  readonly status: number;
  /** `statement` is an index into `RecordedRequests.sql`. */
  readonly batches: readonly (readonly (readonly [statement: number, params: readonly unknown[]])[])[];
}

export interface RecordedRequests {
  readonly sql: readonly string[];
  readonly requests: Readonly<Record<string, RecordedRequest>>;
}

interface Bindings {
  readonly PLANS: string;
  readonly CELL_0: D1Database;
}

type PreparedBatch = readonly (readonly [D1PreparedStatement, readonly unknown[]])[];

let prepared: Map<string, RecordedRequest & { prepared: readonly PreparedBatch[] }> | undefined;

function prepareStatements({ PLANS, CELL_0 }: Bindings): NonNullable<typeof prepared> {
  const plans: RecordedRequests = JSON.parse(PLANS);
  const statements = plans.sql.map((sql) => CELL_0.prepare(sql));
  return new Map(
    Object.entries(plans.requests).map(([key, plan]) => [
      key,
      {
        ...plan,
        prepared: plan.batches.map((batch) =>
          batch.map(([no, params]) => [statements[no] as D1PreparedStatement, params]),
        ),
      },
    ]),
  );
}

export default {
  async fetch(request: Request, env: Bindings) {
    prepared ??= prepareStatements(env);
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? '' : JSON.stringify(await request.json());
    const plan = prepared.get(`${request.method} ${pathname}${search} ${body}`);
    if (!plan) return new Response('not recorded', { status: 404 });
    let results: readonly D1Result[] = [];
    for (const batch of plan.prepared) {
      results = await env.CELL_0.batch(batch.map(([statement, params]) => statement.bind(...params)));
    }
    return Response.json(
      results.map((each) => each.results),
      { status: plan.status },
    );
  },
};
