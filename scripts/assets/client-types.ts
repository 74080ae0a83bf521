import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../databases.ts';
import type { Document, Operation, Schema } from '../openapi/document.ts';
import { toComment, toMembers, toType, toTypeName } from './schema-types.ts';

interface ListedOperation {
  readonly operation: Operation;
  readonly isPaged: boolean;
}

/** Declares the client's methods that aren't operations. `src/api-client/create-client.ts` implements them. */
const otherMethods = `  /**
   * Waits for events, and yields each one until you stop reading or abort. To continue later, store the \`seq\` of the
   * last event that you processed, and pass it as \`after\`. Without \`after\`, starts with the next event.
   */
  followEvents(input?: ListEventsInput, options?: CallOptions): AsyncGenerator<Event, void, undefined>;
  /** Uploads a file of any size, and returns the attachment. */
  uploadFile(input: UploadFileInput, options?: UploadFileOptions): Promise<Attachment>;
`;
const declarations = `/** Send \`taskId\` or \`projectId\`. A \`File\` brings its own name and type. */
export interface UploadFileInput {
  readonly file: Blob | Uint8Array;
  readonly taskId?: number | undefined;
  readonly projectId?: number | undefined;
  readonly fileName?: string | undefined;
  readonly fileType?: string | undefined;
  /** An attachment of the same task. The file becomes its new version. */
  readonly parentId?: number | undefined;
}

export interface UploadFileOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
}

export declare class EdgeworkError extends Error implements EdgeworkErrorDetails {
  readonly code: EdgeworkErrorCode;
  readonly status: number;
  readonly field: string | null;
  readonly requestId: string | null;
  readonly retryAfter: number | null;
  constructor(message: string, code: EdgeworkErrorCode, details?: Partial<EdgeworkErrorDetails>, options?: { cause?: unknown });
}

export declare function createClient(options: ClientOptions): EdgeworkClient;

/**
 * Checks a message's signature and timestamp, and returns its parsed body. Throws an EdgeworkError with the code
 * \`invalid_signature\`. Pass the body as you received it. During a rotation, pass both secrets.
 */
export declare function verifyWebhook(
  secrets: string | readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array,
  options?: WebhookOptions,
): Promise<SentEvent | SentEvents | WebhookTest>;
`;

export function buildClientTypes(document: Document, operations: readonly ListedOperation[]): string {
  const reached = new Set<string>();
  const onReference = (name: string) => reached.add(name);
  const inputs = operations.map(({ operation }) => declareInput(operation, onReference));
  const methods = operations.map((listed) => declareMethod(listed, document, onReference));
  for (const { post } of Object.values(document.webhooks))
    toType(getContent(post.requestBody), { isInput: false, onReference });
  // The set grows during the loop, because resources refer to other resources.
  const resources: string[] = [];
  for (const name of reached) resources.push(declareResource(name, document, onReference));
  const base = readFileSync(join(root, 'src', 'api-client', 'types.ts'), 'utf8').replace(/^\/\/.*\n\n/, '');
  return [
    '// Types of the Edgework API. The server generates this file; see /docs/client.\n',
    base,
    `/** Has one method per operation of \`/v1\`. Each takes path ids, query parameters and the body's fields in one object. */\nexport interface EdgeworkClient {\n${methods.join('')}${otherMethods}}\n`,
    declarations,
    ...inputs.filter((text) => text !== ''),
    ...resources.sort(),
  ].join('\n');
}

function declareResource(name: string, document: Document, onReference: (name: string) => void): string {
  const schema = document.components.schemas[name];
  if (!schema) throw new Error(`The document has no schema ${name}`);
  const options = { isInput: false, onReference };
  const comment = toComment(schema.description);
  return schema.properties
    ? `${comment}export interface ${toTypeName(name)} {\n${toMembers(schema, options)}}\n`
    : `${comment}export type ${toTypeName(name)} = ${toType(schema, options)};\n`;
}

function getInputName({ operationId }: Operation): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Input`;
}

/**
 * Combines the path and query parameters with the body's fields. Leaves out `fields`, which determines the type of the
 * result.
 */
function getInput({ parameters = [], requestBody }: Operation): Schema {
  const named = parameters.filter(({ in: place, name }) => place !== 'header' && name !== 'fields');
  const properties = named.map(({ name, description, schema }) => [
    name,
    { ...schema, ...(description !== undefined && { description }) },
  ]);
  const required = named.filter((each) => each.required).map(({ name }) => name);
  if (!requestBody) return { properties: Object.fromEntries(properties), required };
  const body = getContent(requestBody);
  if (body.format === 'binary') {
    return { properties: { ...Object.fromEntries(properties), body }, required: [...required, 'body'] };
  }
  return {
    properties: { ...Object.fromEntries(properties), ...body.properties },
    required: [...required, ...(body.required ?? [])],
  };
}

function getContent(body: Operation['requestBody']): Schema {
  const [content] = Object.values(body?.content ?? {});
  if (!content) throw new Error('A request body has no media type');
  return content.schema;
}

function declareInput(operation: Operation, onReference: (name: string) => void): string {
  const members = toMembers(getInput(operation), { isInput: true, onReference });
  return members === '' ? '' : `export interface ${getInputName(operation)} {\n${members}}\n`;
}

function declareMethod(
  { operation, isPaged }: ListedOperation,
  document: Document,
  onReference: (name: string) => void,
): string {
  const [schema] = Object.entries(operation.responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? (content?.['application/json']?.schema ?? []) : [],
  );
  if (!schema) throw new Error(`${operation.operationId} has no successful response`);
  const hasInput = Object.keys(getInput(operation).properties ?? {}).length > 0;
  const input = hasInput ? getInputName(operation) : 'unknown';
  const output = toType(schema, { isInput: false, onReference }, '  ');
  const name = schema.$ref?.split('/').at(-1) ?? '';
  const { properties = {} } = document.components.schemas[name] ?? {};
  const isTrimmable = operation.parameters?.some((each) => each.name === 'fields');
  const isList = 'data' in properties && 'meta' in properties;
  const kind = isPaged ? 'Paged' : !isTrimmable ? '' : isList ? 'List' : 'Read';
  const text = [operation.summary, operation.description].filter(Boolean).join('. ');
  return `${toComment(text, '  ')}  ${operation.operationId}: ${kind}Operation<${hasInput ? input : '{}'}, ${output}>;\n`;
}
