export const JURISDICTIONS = ['eu', 'fedramp', 'us'];

/** Stops a deployment. The message says what to do. */
export class DeployError extends Error {}

export function throwIfProblems(title: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new DeployError(formatList(title, problems));
}

export function formatList(title: string, lines: readonly string[]): string {
  return [title, ...lines.map((line) => `  ${line}`)].join('\n');
}

export interface Configuration {
  readonly account_id?: string | undefined;
  readonly vars?: Readonly<Record<string, unknown>> | undefined;
  readonly d1_databases?: readonly DatabaseConfiguration[];
  readonly r2_buckets?: readonly BucketConfiguration[];
  readonly placement?: { readonly region?: string } | undefined;
  readonly queues?: {
    readonly producers?: readonly QueueConfiguration[] | undefined;
    readonly consumers?: readonly QueueConfiguration[] | undefined;
  };
}

export interface DatabaseConfiguration {
  readonly binding: string;
  readonly database_name?: string | undefined;
  readonly database_id?: string | undefined;
  readonly migrations_dir?: string | undefined;
}

interface QueueConfiguration {
  readonly queue?: string | undefined;
  readonly dead_letter_queue?: string | undefined;
}

interface BucketConfiguration {
  readonly binding: string;
  readonly bucket_name?: string | undefined;
  readonly jurisdiction?: string | undefined;
}

export function checkConfiguration({
  vars = {},
  d1_databases: databases = [],
  r2_buckets: buckets = [],
}: Configuration): string[] {
  const problems: string[] = [];
  if (vars.ENVIRONMENT === 'local') problems.push('ENVIRONMENT is "local"; leave it out');
  if (!vars.MAIL_FROM || /[@.]example\.(com|net|org)\b|\.example\b/i.test(String(vars.MAIL_FROM))) {
    problems.push(
      'MAIL_FROM is not one of your addresses; set it to an address on the domain that sends your email',
    );
  }
  if (vars.PUBLIC_URL !== undefined && !/^https:\/\/[^/]+$/.test(String(vars.PUBLIC_URL))) {
    problems.push(`PUBLIC_URL must be https:// and a host without a path; got '${vars.PUBLIC_URL}'`);
  }
  for (const name of Object.keys(vars).filter((name) =>
    /SECRET|ACCESS_KEY_ID|OPERATOR_KEY|PRIVATE_KEY/.test(name),
  )) {
    problems.push(
      `${name} is in [vars], where everyone with access to the repository can read it; make it a secret`,
    );
  }
  const { JURISDICTION: jurisdiction, R2_S3_ENDPOINT: endpoint } = vars;
  if (jurisdiction !== undefined && !JURISDICTIONS.includes(String(jurisdiction))) {
    problems.push(`JURISDICTION must be one of ${JURISDICTIONS.join(', ')}; got '${jurisdiction}'`);
  }
  for (const { binding, jurisdiction: own } of buckets.filter((each) => each.jurisdiction !== jurisdiction)) {
    problems.push(
      `[[r2_buckets]] ${binding} and [vars] must have the same jurisdiction; got jurisdiction '${own}' and JURISDICTION '${jurisdiction}'`,
    );
  }
  if (jurisdiction && endpoint && !String(endpoint).includes(`.${jurisdiction}.r2.`)) {
    problems.push(`R2_S3_ENDPOINT must be the endpoint of ${jurisdiction}; leave it out to derive it`);
  }
  const bucket = buckets.find(({ binding }) => binding === 'FILES')?.bucket_name;
  if (!bucket) problems.push('no [[r2_buckets]] with the binding FILES and a bucket_name');
  else if (vars.R2_BUCKET_NAME !== bucket) {
    problems.push(`R2_BUCKET_NAME is '${vars.R2_BUCKET_NAME}', but FILES is bound to '${bucket}'`);
  }
  for (const wanted of ['DIRECTORY', 'CELL_0']) {
    if (!databases.some(({ binding }) => binding === wanted))
      problems.push(`no database is bound as ${wanted}`);
  }
  const names = new Set<string | undefined>();
  for (const { binding, database_name: name, migrations_dir: folder } of databases) {
    const expected = binding === 'DIRECTORY' ? 'migrations/directory' : 'migrations/cell';
    if (!/^(DIRECTORY|CELL_(0|[1-9]\d*))$/.test(binding)) {
      problems.push(`${binding} is not a valid name; databases are bound as DIRECTORY and CELL_<number>`);
    } else if (folder !== expected) problems.push(`${binding} must have migrations_dir = "${expected}"`);
    if (!name) problems.push(`${binding} has no database_name`);
    else if (names.has(name)) problems.push(`${name} is bound twice; every cell needs its own database`);
    names.add(name);
  }
  return problems;
}
