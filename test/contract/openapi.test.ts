import { describe, expect, it } from 'vitest';
import { listRequiredScopes, scopes } from '../../src/kernel/access/access.ts';
import { errorStatus } from '../../src/kernel/errors/errors.ts';
import { getRouteGroup } from '../../src/kernel/http/route.ts';
import { listFieldNames } from '../../src/kernel/http/trim-fields.ts';
import { routes } from '../../src/registry.ts';
import { ORIGIN, send } from '../support/api.ts';
import { getDocumentedOperation, openApiDocument } from '../support/contract.ts';
import { getRouteName } from './requests.ts';

interface DescribedOperation {
  parameters?: {
    in: string;
    name: string;
    schema: { type?: string; example?: string; items?: { enum?: string[] } };
    explode?: boolean;
  }[];
}

function listOperations(): DescribedOperation[] {
  return Object.values(openApiDocument.paths).flatMap((each) =>
    Object.values(each),
  ) as unknown as DescribedOperation[];
}

function listErrorCodes(status: number): string[] {
  return Object.entries(errorStatus)
    .flatMap(([code, usual]) => (usual === status ? [code] : []))
    .sort();
}

describe('GET /openapi.json', () => {
  it('documents every route, and needs no credential', async () => {
    const response = await send(new Request(`${ORIGIN}/openapi.json`));
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toContain('application/json');
    const served = (await response.json()) as typeof openApiDocument & { servers: { url: string }[] };
    expect(served.openapi).toMatch(/^3\.1\.\d$/);
    expect(served.paths).toEqual(JSON.parse(JSON.stringify(openApiDocument.paths)));
    expect(served.servers).toEqual([{ url: `${ORIGIN}/v1` }]);
  });

  it('lists every route once, with a unique operation id and a known type of access', () => {
    const ids = routes.map((route) => route.operation.name);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(routes.map(getRouteName)).size).toBe(routes.length);
    for (const { operation } of routes) {
      expect(operation.name).toMatch(/^[a-z][A-Za-z]+$/);
      const named = [operation.access].flat();
      expect(['public', 'session', ...scopes], operation.name).toEqual(expect.arrayContaining(named));
    }
  });

  it("describes every successful response with a schema that isn't empty", () => {
    for (const route of routes) {
      const { schema } =
        getDocumentedOperation(route).responses[String(route.status)]?.content['application/json'] ?? {};
      expect(Object.keys(schema ?? {}).length, getRouteName(route)).toBeGreaterThan(0);
    }
  });

  it('lists exactly the path parameters of each route', () => {
    for (const [path, operations] of Object.entries(openApiDocument.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const operation of Object.values(operations)) {
        const { parameters = [] } = operation as {
          parameters?: { in: string; name: string; required?: boolean }[];
        };
        const named = parameters.filter((each) => each.in === 'path');
        expect(
          named.map((each) => each.name),
          path,
        ).toEqual(inPath);
        expect(
          named.every((each) => each.required === true),
          path,
        ).toBe(true);
      }
    }
  });

  it('describes list-valued query parameters as comma-separated', () => {
    const lists = listOperations()
      .flatMap(({ parameters = [] }) => parameters)
      .filter((each) => each.in === 'query' && each.schema.type === 'array');
    expect(lists.map(({ name }) => name)).toContain('priority');
    expect(lists.filter(({ explode }) => explode !== false)).toEqual([]);
  });

  it('contains no dangling references', () => {
    const text = JSON.stringify(openApiDocument);
    const named = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => String(name));
    expect(named).toContain('Task');
    for (const name of named) expect(openApiDocument.components.schemas, name).toHaveProperty([name]);
  });

  it('describes webhook requests and their signature headers', () => {
    expect(Object.keys(openApiDocument.webhooks)).toEqual(['eventSent', 'eventsSent', 'testSent']);
    for (const message of Object.values(openApiDocument.webhooks)) {
      const { parameters } = message.post as unknown as { parameters: { in: string; name: string }[] };
      const names = parameters.map((each) => `${each.in} ${each.name}`);
      expect(names).toEqual(['header webhook-id', 'header webhook-timestamp', 'header webhook-signature']);
    }
  });

  it('declares exactly the tags that its routes use, each with a description', () => {
    const used = new Set(routes.map(getRouteGroup));
    expect(new Set(openApiDocument.tags.map(({ name }) => name))).toEqual(used);
    for (const { name, description } of openApiDocument.tags)
      expect(description, name).toMatch(/^[A-Z].+\.$/);
  });

  it('has a distinct example for each error, with a sentence about when the error occurs', () => {
    // Responses with these statuses use error codes that normally belong to another status.
    const otherStatuses: Record<number, string[]> = { 412: ['invalid_request'], 503: ['internal'] };
    const messages = new Set<string>();
    const answers = Object.entries(openApiDocument.components.responses);
    for (const [name, { content }] of answers.filter(([name]) => name.startsWith('Error'))) {
      const status = Number(name.replace('Error', ''));
      const examples = Object.entries(content['application/json'].examples ?? {});
      const expected = otherStatuses[status] ?? listErrorCodes(status);
      expect(examples.map(([code]) => code).sort(), name).toEqual(expected);
      for (const [code, { summary, value }] of examples) {
        expect(summary, name).toMatch(/^[A-Z].+\.$/);
        const { error } = value as { error: { code: string; message: string } };
        expect(error.code).toBe(code);
        expect(messages, name).not.toContain(error.message);
        messages.add(error.message);
      }
    }
    expect(messages.size).toBe(9);
  });

  it('documents a 412 response for exactly the writes that need a credential', () => {
    const named = routes.filter((route) => getDocumentedOperation(route).responses['412']).map(getRouteName);
    const writes = routes
      .filter(({ operation }) => operation.effect === 'write' && operation.access !== 'public')
      .map(getRouteName);
    expect(named).toEqual(writes);
  });

  it('has valid header values as examples', () => {
    for (const { parameters = [] } of listOperations()) {
      for (const { name, schema } of parameters.filter((each) => each.in === 'header')) {
        expect(schema.example ?? '', name).toMatch(/^[\x20-\x7e]*$/);
      }
    }
  });

  it('declares a bearer token for every route except public ones, and OAuth scopes where they are required', () => {
    for (const route of routes) {
      const { security } = getDocumentedOperation(route) as unknown as { security: object[] };
      const needed = listRequiredScopes(route.operation.access);
      const bearer = route.operation.access === 'public' ? [] : [{ bearer: [] }];
      const oauth2 = needed.length === 0 ? [] : [{ oauth2: needed }];
      expect(security, getRouteName(route)).toEqual([...bearer, ...oauth2]);
    }
  });

  it('declares every scope, and the endpoints of the authorization server', async () => {
    const { oauth2 } = openApiDocument.components.securitySchemes as {
      oauth2: { flows: { authorizationCode: Record<string, unknown> } };
    };
    const { authorizationUrl, tokenUrl, scopes: declared } = oauth2.flows.authorizationCode;
    expect(Object.keys(declared as object)).toEqual([...scopes]);
    const metadata = await send(new Request(`${ORIGIN}/.well-known/oauth-authorization-server`));
    expect(await metadata.json()).toMatchObject({
      authorization_endpoint: authorizationUrl,
      token_endpoint: tokenUrl,
    });
  });

  it('describes each response as the complete resource, and a response with only the requested fields as a separate type', () => {
    const { schemas } = openApiDocument.components;
    let trimmed = 0;
    for (const route of routes) {
      const { schema, 'x-with-fields': other } =
        getDocumentedOperation(route).responses[String(route.status)]?.content['application/json'] ?? {};
      const names = listFieldNames(route.operation.output);
      const { parameters = [] } = getDocumentedOperation(route) as DescribedOperation;
      const fields = parameters.find(({ name }) => name === 'fields')?.schema;
      const isTrimmable = route.method === 'GET' && names.length > 0;
      expect([other !== undefined, fields !== undefined], getRouteName(route)).toEqual([
        isTrimmable,
        isTrimmable,
      ]);
      if (!isTrimmable) continue;
      trimmed += 1;
      expect([fields?.type, fields?.items?.enum], getRouteName(route)).toEqual(['array', names]);
      const named = schemas[other?.$ref?.split('/').at(-1) ?? ''];
      const { data } = named?.properties ?? {};
      const resource = data?.items?.$ref ? schemas[data.items.$ref.split('/').at(-1) ?? ''] : named;
      expect(Object.keys(resource?.properties ?? {}), getRouteName(route)).toEqual(names);
      expect(resource?.required ?? [], getRouteName(route)).toEqual([]);
      expect(JSON.stringify(schema), getRouteName(route)).not.toContain('Fields"');
    }
    expect(trimmed).toBeGreaterThan(30);
  });

  it('describes the chunk number as an integer', () => {
    const numbers = listOperations()
      .flatMap(({ parameters = [] }) => parameters)
      .filter(({ name }) => name === 'partNumber');
    expect(numbers.map(({ schema }) => schema.type)).toEqual(['integer']);
  });
});
