import { execFileSync } from 'node:child_process';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { unlimitedBudgets } from './scripts/local.ts';
import { HANG_MS } from './test/support/timeout.ts';

// The Worker needs the hashed names of its scripts and styles.
execFileSync(process.execPath, ['scripts/assets.ts']);

/** Overrides variables that a developer's .dev.vars may set. Tests that need them set them. */
const unset = {
  GITHUB_CLIENT_ID: '',
  GITHUB_CLIENT_SECRET: '',
  GOOGLE_CLIENT_ID: '',
  GOOGLE_CLIENT_SECRET: '',
  OPERATOR_KEY: '',
  ENFORCE_REST_RATE_LIMIT: 'false',
  ENFORCE_API_KEY_PLAN: 'false',
  ...unlimitedBudgets,
};

/** All fetches of the Worker go to Miniflare's emulation of R2's S3 endpoint instead of the network. */
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

/** Creates a Worker runtime with its own databases, objects and files. */
const runtime = () =>
  cloudflareTest(async () => ({
    wrangler: { configPath: './wrangler.toml' },
    miniflare: {
      // There are two cells, so that no code can rely on a single one.
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
        VAPID_PRIVATE_KEY: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
        ...unset,
        ...s3,
        TEST_MIGRATIONS_DIRECTORY: await readD1Migrations('migrations/directory'),
        TEST_MIGRATIONS_CELL: await readD1Migrations('migrations/cell'),
      },
    },
  }));

/** Makes password hashing cheap, except in the tests of passwords. */
const cheapPasswords = {
  alias: [
    {
      find: /^\.\/hash-cost\.ts$/,
      replacement: new URL('./test/support/password-work.ts', import.meta.url).pathname,
    },
  ],
};

const isLong = process.env.TEST_TIER === 'long';
/** Tests that run only in the long tier, because they grow cells or measure the worst input of every operation. */
const itInLongTier = isLong
  ? []
  : [
      'test/suites/hostile-cost/{forms,growth,operations,write-growth}.test.ts',
      'test/tasks/list/filters-cost.test.ts',
    ];

/** Tests that fill a cell or leave messages in a queue. Each file gets its own runtime. */
const alone = ['test/mail/queues.test.ts', 'test/suites/hostile-cost/**/*.test.ts'];
/**
 * Tests that check the whole contents of a cell. The databases are emptied before every file. The files of a group
 * share a runtime, because starting one takes as long as many tests.
 */
const emptied: Readonly<Record<string, readonly string[]>> = {
  accounts: [
    'test/accounts/own/**/*.test.ts',
    'test/workspaces/{directory,invitations,people,settings,teams}/**/*.test.ts',
    'test/oauth/cleanup.test.ts',
    'test/kernel/idempotency/*.test.ts',
  ],
  faults: [
    'test/suites/faults/*.test.ts',
    'test/files/attachments/expired-uploads.test.ts',
    'test/{files/objects,notifications/{mail,push},upkeep/{cron,keeper}}/**/*.test.ts',
    'test/scheduled.test.ts',
  ],
  rules: [
    'test/contract/{comparisons,cost,forms,tenancy,worst-cases}.test.ts',
    'test/suites/fuzz/*.test.ts',
    'test/suites/isolation/*.test.ts',
  ],
  sums: [
    'test/{dashboard,meetings,tasks}/**/*cost.test.ts',
    'test/dashboard/**/*oracle.test.ts',
    'test/suites/pairs/*.test.ts',
    'test/tasks/list/{filters,scans}.test.ts',
  ],
  work: [
    'test/{projects/deletion,tasks/{bulk,categories,texts},webhooks}/**/*.test.ts',
    'test/{templates,tasks/{assignees,checklists,conversion,custom-fields,reactions,subtasks}}/**/*.test.ts',
    'test/tasks/comments/{edit-and-delete,replies}.test.ts',
    'test/imports/import-limits.test.ts',
    'test/tasks/{moving,trash}/*.test.ts',
    'test/tasks/{recurrence/{recurrence,simulated-cron},reminders/reminders}.test.ts',
    'test/meetings/operations/{change,create,occurrences}.test.ts',
    'test/projects/operations/change-projects.test.ts',
    'test/search/index/{details,waiting}.test.ts',
    'test/tasks/list/order.test.ts',
    'test/tasks/operations/{card-places,category,create,following,tags}.test.ts',
    'test/web/pages/{new-task,quick-add,undo}.test.ts',
  ],
};
// These tests run in Node, and npm test starts them separately.
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
          // Every test creates its own workspace, so these tests can share a cell.
          setupFiles: [...setup.setupFiles, 'test/support/assert-no-future-tasks.ts'],
          name: 'together',
          isolate: false,
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...underNode, ...itInLongTier, ...passwords, ...alone, ...Object.values(emptied).flat()],
        },
      },
      ...Object.entries(emptied).map(([name, include]) => ({
        plugins: [runtime()],
        resolve: cheapPasswords,
        test: {
          ...setup,
          setupFiles: [...setup.setupFiles, 'test/support/empty-databases.ts'],
          name,
          isolate: false,
          include: [...include],
          exclude: itInLongTier,
        },
      })),
      { plugins: [runtime()], test: { ...setup, name: 'passwords', include: passwords } },
      {
        plugins: [runtime()],
        resolve: cheapPasswords,
        test: { ...setup, name: 'alone', include: alone, exclude: itInLongTier },
      },
    ],
    // More than two Worker runtimes would slow each other down on a small machine.
    maxWorkers: 2,
    // Shows the log of the Worker, which has a line per request, only for failed tests.
    silent: 'passed-only',
  },
});
