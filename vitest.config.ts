import { execFileSync } from 'node:child_process';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { HANG_MS } from './test/support/hang.ts';

// The worker names its scripts and styles by their hashes.
execFileSync(process.execPath, ['scripts/assets.ts']);

/** What a developer's .dev.vars may set, and a test sets for itself where it needs it. */
const unset = {
  GITHUB_CLIENT_ID: '',
  GITHUB_CLIENT_SECRET: '',
  GOOGLE_CLIENT_ID: '',
  GOOGLE_CLIENT_SECRET: '',
  ENFORCE_REST_RATE_LIMIT: 'false',
  ENFORCE_API_KEY_PLAN: 'false',
};

/** Whatever the worker fetches goes to Miniflare's emulation of R2's S3 endpoint, never to a network. */
const s3 = {
  R2_S3_ENDPOINT: 'https://account.r2.cloudflarestorage.com/cdn-cgi/local/r2/s3',
  R2_ACCESS_KEY_ID: 'test-key',
  R2_SECRET_ACCESS_KEY: 'test-secret',
};
const s3Emulation = {
  name: 's3-emulation',
  modules: true,
  scriptPath: './node_modules/miniflare/dist/src/workers/r2/s3/index.worker.js',
  compatibilityDate: '2026-01-01',
  compatibilityFlags: ['nodejs_compat'],
  r2Buckets: { 'MINIFLARE_R2_S3_BUCKET_edgework-files': 'edgework-files' },
  bindings: {
    MINIFLARE_R2_S3_CREDENTIALS: {
      'edgework-files': { accessKeyId: s3.R2_ACCESS_KEY_ID, secretAccessKey: s3.R2_SECRET_ACCESS_KEY },
    },
  },
};

/** A worker runtime with databases, objects and files of its own. */
const runtime = () =>
  cloudflareTest(async () => ({
    wrangler: { configPath: './wrangler.toml' },
    miniflare: {
      // Two cells, so that nothing can rely on there being one.
      d1Databases: ['CELL_1'],
      outboundService: s3Emulation.name,
      workers: [s3Emulation],
      bindings: {
        SESSION_SECRET: 'only-for-tests-0123456789-0123456789',
        ENVIRONMENT: 'production',
        EXPOSE_COST: 'true',
        LOG_SAMPLE_RATE: '1',
        PUBLIC_URL: 'https://edgework.test',
        MAIL_FROM: 'Edgework <no-reply@edgework.test>',
        ...unset,
        ...s3,
        TEST_MIGRATIONS_DIRECTORY: await readD1Migrations('migrations/directory'),
        TEST_MIGRATIONS_CELL: await readD1Migrations('migrations/cell'),
      },
    },
  }));

/** All but the tests of passwords themselves hash them with little work. */
const cheapPasswords = {
  alias: [
    {
      find: /^\.\/hash-cost\.ts$/,
      replacement: new URL('./test/support/password-work.ts', import.meta.url).pathname,
    },
  ],
};

const isLong = process.env.TEST_TIER === 'long';
/** Full sizes only: these grow cells, or measure every operation's worst input. */
const inLongTier = isLong
  ? []
  : [
      'test/suites/hostile-cost/{forms,growth,operations,write-growth}.test.ts',
      'test/tasks/list/filters-cost.test.ts',
    ];

/** These fill a cell or leave messages in a queue: each file gets a runtime of its own. */
const alone = ['test/mail/queues.test.ts', 'test/suites/hostile-cost/**/*.test.ts'];
/**
 * These look at everything a cell holds. Each group shares a runtime, since starting one takes as long as many tests,
 * and finds the databases empty before every file.
 */
const emptied: Readonly<Record<string, readonly string[]>> = {
  accounts: [
    'test/accounts/own/**/*.test.ts',
    'test/workspaces/{directory,invitations,people,settings,teams}/**/*.test.ts',
    'test/oauth/clean.test.ts',
    'test/kernel/idempotency/*.test.ts',
  ],
  faults: [
    'test/suites/faults/*.test.ts',
    'test/{files/objects,notifications/mail,upkeep/cron}/**/*.test.ts',
    'test/scheduled.test.ts',
  ],
  rules: [
    'test/contract/{comparisons,cost,forms,tenancy}.test.ts',
    'test/suites/fuzz/*.test.ts',
    'test/suites/isolation/*.test.ts',
  ],
  sums: [
    'test/{dashboard,meetings,tasks}/**/*cost.test.ts',
    'test/dashboard/**/*oracle.test.ts',
    'test/suites/pairs/*.test.ts',
    'test/tasks/list/filters.test.ts',
  ],
  work: [
    'test/{projects/deletion,tasks/{bulk,categories,texts},webhooks}/**/*.test.ts',
    'test/tasks/comments/change.test.ts',
    'test/meetings/operations/{change,create,occurrences}.test.ts',
    'test/projects/operations/change-projects.test.ts',
    'test/search/index/waiting.test.ts',
    'test/tasks/operations/{card-places,category,create,following}.test.ts',
    'test/web/pages/{new-task,quick-add,undo}.test.ts',
  ],
};
// These run under Node: npm test starts them by itself.
const underNode = ['test/browser/**', 'test/clients/**', 'test/scripts/**'];
const passwords = ['test/accounts/passwords/*.test.ts'];
const setup = {
  setupFiles: ['test/support/migrate.ts', 'test/support/seed.ts'],
  testTimeout: HANG_MS,
  hookTimeout: HANG_MS,
  provide: { isLong },
};

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [runtime()],
        resolve: cheapPasswords,
        test: {
          ...setup,
          // Tests work in workspaces of their own, as tenants share a cell.
          name: 'together',
          isolate: false,
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...underNode, ...inLongTier, ...passwords, ...alone, ...Object.values(emptied).flat()],
        },
      },
      ...Object.entries(emptied).map(([name, include]) => ({
        plugins: [runtime()],
        resolve: cheapPasswords,
        test: {
          ...setup,
          setupFiles: [...setup.setupFiles, 'test/support/empty.ts'],
          name,
          isolate: false,
          include: [...include],
          exclude: inLongTier,
        },
      })),
      { plugins: [runtime()], test: { ...setup, name: 'passwords', include: passwords } },
      {
        plugins: [runtime()],
        resolve: cheapPasswords,
        test: { ...setup, name: 'alone', include: alone, exclude: inLongTier },
      },
    ],
    // More than two worker runtimes at once starve each other on a small machine.
    maxWorkers: 2,
    // The worker logs a line a request; it is shown where a test fails.
    silent: 'passed-only',
  },
});
