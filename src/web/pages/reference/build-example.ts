import type { Endpoint, Schema } from './api-reference.ts';

const EXAMPLE_DEPTH_MAX = 6;

type NamedSchemas = Readonly<Record<string, Schema>>;

export function resolveSchema(schema: Schema, schemas: NamedSchemas): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (schemas[name] ?? {});
}

export function buildExample(schema: Schema, schemas: NamedSchemas, depth = 0): unknown {
  const resolved = resolveSchema(schema, schemas);
  if (resolved.example !== undefined) return resolved.example;
  if (resolved.const !== undefined) return resolved.const;
  if (resolved.default !== undefined) return resolved.default;
  if (resolved.enum) return resolved.enum[0];
  const [first] = resolved.anyOf ?? [];
  if (first) return buildExample(first, schemas, depth);
  if (depth > EXAMPLE_DEPTH_MAX) return null;
  if (resolved.type === 'array')
    return resolved.items ? [buildExample(resolved.items, schemas, depth + 1)] : [];
  if (resolved.properties) {
    const fields = Object.entries(resolved.properties);
    return Object.fromEntries(fields.map(([name, each]) => [name, buildExample(each, schemas, depth + 1)]));
  }
  const simple: Record<string, unknown> = { integer: 1, number: 1, boolean: true, string: 'text' };
  return simple[resolved.type ?? ''] ?? null;
}

export function buildCurlCommand(
  { method, path, described }: Endpoint,
  origin: string,
  schemas: NamedSchemas,
): string {
  const parameters = described.parameters ?? [];
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return String(parameter ? buildExample(parameter.schema, schemas) : name);
  });
  const body = buildBodyExample(described, schemas);
  const bytes = described.requestBody?.content?.['application/octet-stream'];
  const json = body === undefined ? undefined : JSON.stringify(body).replaceAll("'", "'\\''");
  return [
    `curl -s${method === 'GET' ? '' : ` -X ${method}`} '${origin}/v1${filled}'`,
    ...(described['x-access'] === 'public' ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...(json === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${json}'`]),
    ...(bytes ? ["-H 'Content-Type: application/octet-stream'", '--data-binary @part.bin'] : []),
  ].join(' \\\n  ');
}

export function buildBodyExample({ requestBody }: Endpoint['described'], schemas: NamedSchemas): unknown {
  const json = requestBody?.content?.['application/json'];
  return json?.example ?? (json?.schema && buildRequiredFieldsExample(json.schema, schemas));
}

function buildRequiredFieldsExample(schema: Schema, schemas: NamedSchemas): unknown {
  const { properties = {}, required = [], example } = resolveSchema(schema, schemas);
  if (example !== undefined) return example;
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, buildExample(properties[name] ?? {}, schemas)]));
}
