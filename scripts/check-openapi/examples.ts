// Sends every operation with the examples of its fields, all of them at once, as a page that fills them in does.
import { send } from '../record/http.ts';
import { type Document, exampleOf, type Operation } from './document.ts';

/** What only exists once somebody has made it. Its examples show a form and answer 404. */
const madeFirst = new Set([
  'switchWorkspace',
  'confirmAttachment',
  'downloadTaskAttachment',
  'deleteTaskAttachment',
  'downloadProjectAttachment',
  'deleteProjectAttachment',
  'getUploadStatus',
  'uploadChunk',
  'completeUpload',
  'abortUpload',
  'deleteUpload',
]);
/** What makes something first, and what takes away last. */
const order = ['post', 'get', 'put', 'patch', 'delete'];

interface Request {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export async function sendExamples(origin: string, document: Document) {
  const requests = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): Request => ({ method, path, operation })),
    )
    .toSorted((one, other) => order.indexOf(one.method) - order.indexOf(other.method))
    // It revokes the key with which everything else is sent.
    .toSorted((one, other) => Number(isLast(one)) - Number(isLast(other)));
  const problems: string[] = [];
  const credentials = await signIn(origin, document);
  for (const request of requests) {
    const { operationId } = request.operation;
    const { status, text } = await sendExample(`${origin}/v1`, request, document, credentials);
    const isAsMeant = madeFirst.has(operationId) ? status === 404 : status >= 200 && status < 300;
    if (!isAsMeant) problems.push(`${operationId} answered ${status}: ${text.slice(0, 300)}`);
  }
  return { sent: requests.length, problems };
}

function isLast({ operation }: Request): boolean {
  return operation.operationId === 'revokeConnectedApp';
}

/** The sign-in of the examples is that of the demo's owner. */
async function signIn(origin: string, document: Document) {
  const { login, createApiKey } = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        operation.operationId,
        { method, path, operation },
      ]),
    ),
  );
  if (!login || !createApiKey) throw new Error('The document has no operation login or createApiKey');
  const nothing = { session: '', key: '' };
  const session = await sendExample(`${origin}/v1`, login, document, nothing);
  const { token } = JSON.parse(session.text) as { token?: string };
  if (!token) throw new Error(`login answered ${session.status}: ${session.text}`);
  const made = await send({
    method: 'POST',
    url: `${origin}/v1/connected-apps/api-keys`,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'check:openapi' }),
  });
  return { session: token, key: (JSON.parse(made.text) as { key: string }).key };
}

function sendExample(
  base: string,
  { method, path, operation }: Request,
  document: Document,
  credentials: { session: string; key: string },
) {
  const { parameters = [], requestBody } = operation;
  const filled = (place: string) =>
    parameters.flatMap((each): [string, string][] => {
      const example = each.in === place ? exampleOf(each.schema, document) : undefined;
      return example === undefined ? [] : [[each.name, String(example)]];
    });
  const address = filled('path').reduce((rest, [name, value]) => rest.replace(`{${name}}`, value), path);
  const query = new URLSearchParams(filled('query')).toString();
  const json = requestBody?.content['application/json'];
  const isBytes = requestBody !== undefined && !json;
  const access = operation['x-access'];
  return send({
    method: method.toUpperCase(),
    url: `${base}${address}${query ? `?${query}` : ''}`,
    headers: {
      ...Object.fromEntries(filled('header')),
      ...(access === 'public'
        ? {}
        : { Authorization: `Bearer ${access === 'session' ? credentials.session : credentials.key}` }),
      ...(json ? { 'Content-Type': 'application/json' } : {}),
      ...(isBytes ? { 'Content-Type': 'application/octet-stream' } : {}),
    },
    body: json ? JSON.stringify(json.example ?? exampleOf(json.schema, document)) : isBytes ? 'bytes' : null,
  });
}
