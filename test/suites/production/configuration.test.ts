import { afterEach, describe, expect, it, vi } from 'vitest';
import { send } from '../../support/api.ts';
import { env } from '../../support/env.ts';

const MAIL_SENDER = { MAIL_FROM: 'Edgework <no-reply@edgework.com>' };
const READY_CONFIGURATION = {
  ...MAIL_SENDER,
  PUBLIC_URL: 'https://api.edgework.com',
  ENVIRONMENT: 'production',
};
const paths = ['/', '/health', '/openapi.json', '/v1/me', '/mcp', '/dev/outbox', '/nowhere'];

afterEach(() => vi.restoreAllMocks());

const openPath = (path: string, variables: Partial<Env>, origin = 'https://api.edgework.com') =>
  send(new Request(`${origin}${path}`), variables);

/** Asserts that every path returns a 500 without details, and that the log names the variable. */
const expectFailure = (variable: RegExp, variables: Partial<Env>, origin?: string) =>
  expectRejection({ status: 500, code: 'internal' }, variable, variables, origin);

async function expectRejection(
  expected: { status: number; code: string },
  variable: RegExp,
  variables: Partial<Env>,
  origin?: string,
) {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  for (const path of paths) {
    const answer = await openPath(path, variables, origin);
    expect(answer.status).toBe(expected.status);
    const text = await answer.text();
    expect(JSON.parse(text).error.code).toBe(expected.code);
    expect(text).not.toMatch(/configured|SESSION|MAIL|ENVIRONMENT|PUBLIC_URL|R2_/);
    const line = JSON.parse(logged.mock.lastCall?.[0]);
    expect(line).toMatchObject({ level: 'error', event: 'request.failed' });
    expect(line.id).toBe(answer.headers.get('X-Request-Id'));
    expect(line.cause).toMatch(variable);
  }
}

it('with a local configuration, requests to public hosts return 421 and requests to local hosts succeed', async () => {
  const { PUBLIC_URL: _, ...bound } = env;
  const local = { ...bound, ...MAIL_SENDER, ENVIRONMENT: 'local' } as Partial<Env>;
  for (const PUBLIC_URL of [undefined, 'http://localhost:8787'] as string[]) {
    const variables = { ...local, PUBLIC_URL } as Partial<Env>;
    for (const host of [
      'edgework.somebody.workers.dev',
      'evil.example',
      '10.0.0.1',
      'localhost.evil.example',
    ]) {
      const misdirected = { status: 421, code: 'invalid_request' };
      await expectRejection(misdirected, /ENVIRONMENT is local/, variables, `https://${host}`);
      const { error } = (await (await openPath('/v1/me', variables, `https://${host}`)).json()) as {
        error: { message: string };
      };
      expect(error.message).toContain(`'${host}'`);
      expect(error.message).toContain('localhost, 127.0.0.1');
      expect(error.message).not.toContain('send the request again');
    }
    for (const host of ['127.0.0.1', 'localhost', 'app.localhost', 'edgework.test', '[::1]']) {
      const own = await openPath('/health', variables, `http://${host}:8787`);
      expect(own.status).toBe(200);
    }
  }
});

describe('a production configuration', () => {
  it('is accepted for a public host if its variables are set, and disables the development outbox', async () => {
    expect((await openPath('/health', READY_CONFIGURATION)).status).toBe(200);
    expect((await openPath('/v1/me', READY_CONFIGURATION)).status).toBe(401);
    expect((await openPath('/dev/outbox', READY_CONFIGURATION)).status).toBe(404);
    expect((await openPath('/dev/outbox', READY_CONFIGURATION, 'http://localhost:8787')).status).toBe(404);
  });

  it.each<[string, RegExp, Partial<Env>]>([
    ['a local environment', /ENVIRONMENT is local/, { ENVIRONMENT: 'local' }],
    ['the sender from the template', /MAIL_FROM/, { MAIL_FROM: 'Edgework <no-reply@example.com>' }],
    ['a sender under .example', /MAIL_FROM/, { MAIL_FROM: 'no-reply@mail.example' }],
    ['a URL without TLS', /PUBLIC_URL is not https/, { PUBLIC_URL: 'http://api.edgework.com' }],
    [
      'the key of the local bucket',
      /R2_SECRET_ACCESS_KEY/,
      { R2_SECRET_ACCESS_KEY: 'only-for-the-local-emulation' },
    ],
  ])('is rejected for a public host with %s', (_, variable, changed) =>
    expectFailure(variable, { ...READY_CONFIGURATION, ...changed }),
  );

  it.each<[string, RegExp, Record<string, string | undefined>]>([
    ['without a SESSION_SECRET', /SESSION_SECRET is not set/, { SESSION_SECRET: undefined }],
    [
      'with a short SESSION_SECRET',
      /SESSION_SECRET must have at least 32/,
      { SESSION_SECRET: 'x'.repeat(31) },
    ],
    [
      'with a short SESSION_SECRET_PREVIOUS',
      /SESSION_SECRET_PREVIOUS must have at least 32/,
      { SESSION_SECRET_PREVIOUS: 'x'.repeat(31) },
    ],
    ['with an unknown ENVIRONMENT', /ENVIRONMENT/, { ENVIRONMENT: 'staging' }],
    ['with a rate limit below the reported limit', /RATE_LIMIT_FREE/, { RATE_LIMIT_FREE: '299' }],
    ['without a database budget', /DATABASE_BUDGET_PRO/, { DATABASE_BUDGET_PRO: '0' }],
    ['with a short HEALTH_KEY', /HEALTH_KEY must have at least 32/, { HEALTH_KEY: 'x'.repeat(31) }],
    ['with an invalid boolean', /ENFORCE_REST_RATE_LIMIT/, { ENFORCE_REST_RATE_LIMIT: 'yes' }],
  ])('is rejected %s, even locally', (_, variable, changed) =>
    expectFailure(variable, { ...READY_CONFIGURATION, ...changed } as Partial<Env>, 'http://localhost:8787'),
  );
});
