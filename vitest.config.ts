import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

/** What a developer's .dev.vars may set, and a test sets for itself where it needs it. */
const unset = {
  R2_ACCESS_KEY_ID: '',
  R2_SECRET_ACCESS_KEY: '',
  GITHUB_CLIENT_ID: '',
  GITHUB_CLIENT_SECRET: '',
  GOOGLE_CLIENT_ID: '',
  GOOGLE_CLIENT_SECRET: '',
  ENFORCE_REST_RATE_LIMIT: 'false',
  ENFORCE_API_KEY_PLAN: 'false',
};

export default defineConfig({
  plugins: [
    cloudflareTest(async () => ({
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        // Two cells, so that nothing can rely on there being one.
        d1Databases: ['CELL_1'],
        bindings: {
          SESSION_SECRET: 'only-for-tests-0123456789-0123456789',
          ENVIRONMENT: 'production',
          EXPOSE_COST: 'true',
          PUBLIC_URL: 'https://edgework.test',
          MAIL_FROM: 'Edgework <no-reply@edgework.test>',
          ...unset,
          TEST_MIGRATIONS_DIRECTORY: await readD1Migrations('migrations/directory'),
          TEST_MIGRATIONS_CELL: await readD1Migrations('migrations/cell'),
        },
      },
    })),
  ],
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: ['test/support/migrate.ts'],
    // A worker runtime a file: more than two at once starve each other on a small machine.
    maxWorkers: 2,
    // The worker logs a line a request; it is shown where a test fails.
    silent: 'passed-only',
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
