import { execFileSync } from 'node:child_process';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

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
        PUBLIC_URL: 'https://edgework.test',
        MAIL_FROM: 'Edgework <no-reply@edgework.test>',
        ...unset,
        ...s3,
        TEST_MIGRATIONS_DIRECTORY: await readD1Migrations('migrations/directory'),
        TEST_MIGRATIONS_CELL: await readD1Migrations('migrations/cell'),
      },
    },
  }));

/**
 * Most tests work in workspaces of their own and share a runtime, as tenants share a cell; starting one takes as long as
 * many tests. These look at everything a cell holds, break it on purpose, or fill it, so each file gets its own.
 */
const alone = [
  'test/**/*cost*.test.ts',
  'test/bulk/**/*.test.ts',
  'test/categories/**/*.test.ts',
  'test/comments/change.test.ts',
  'test/cron/**/*.test.ts',
  'test/notification-mails/**/*.test.ts',
  'test/project-deletion/**/*.test.ts',
  'test/projects/change-projects.test.ts',
  'test/scheduled.test.ts',
  'test/webhooks/addresses.test.ts',
  'test/webhooks/reseal.test.ts',
  'test/workspace-settings/**/*.test.ts',
  'test/contract/comparisons.test.ts',
  'test/contract/tenancy.test.ts',
  'test/contract/forms.test.ts',
  'test/tasks/filters.test.ts',
  'test/dashboard/*oracle.test.ts',
  'test/faults/**/*.test.ts',
  'test/fuzz/**/*.test.ts',
  'test/hostile-cost/**/*.test.ts',
  'test/isolation/**/*.test.ts',
  'test/own-account/**/*.test.ts',
  'test/pairs/**/*.test.ts',
];
/** These look at everything a cell holds, too, but are few and leave little behind: each group shares a runtime. */
const groups: Readonly<Record<string, readonly string[]>> = {
  // What they send goes on by itself, in the background.
  webhooks: ['test/webhooks/**/!(addresses|cost|reseal).test.ts'],
  people: [
    'test/people/**/*.test.ts',
    'test/teams/**/*.test.ts',
    'test/invitations/**/*.test.ts',
    'test/workspaces/**/*.test.ts',
    'test/oauth/clean.test.ts',
  ],
};
// These run under Node: npm test starts them by itself.
const underNode = ['test/browser/**', 'test/clients/**', 'test/scripts/**'];
const setup = { setupFiles: ['test/support/migrate.ts'], testTimeout: 20_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [runtime()],
        test: {
          ...setup,
          name: 'together',
          isolate: false,
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...underNode, ...alone, ...Object.values(groups).flat()],
        },
      },
      ...Object.entries(groups).map(([name, include]) => ({
        plugins: [runtime()],
        test: { ...setup, name, isolate: false, include: [...include] },
      })),
      { plugins: [runtime()], test: { ...setup, name: 'alone', include: alone } },
    ],
    // More than two worker runtimes at once starve each other on a small machine.
    maxWorkers: 2,
    // The worker logs a line a request; it is shown where a test fails.
    silent: 'passed-only',
  },
});
