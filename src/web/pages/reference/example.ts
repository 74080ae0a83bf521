import type { Endpoint, Schema } from './document.ts';

const DEPTH_MAX = 6;

type Schemas = Readonly<Record<string, Schema>>;

export function resolveSchema(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (schemas[name] ?? {});
}

export function buildExample(schema: Schema, schemas: Schemas, depth = 0): unknown {
  const found = resolveSchema(schema, schemas);
  if (found.example !== undefined) return found.example;
  if (found.const !== undefined) return found.const;
  if (found.default !== undefined) return found.default;
  if (found.enum) return found.enum[0];
  const [first] = found.anyOf ?? [];
  if (first) return buildExample(first, schemas, depth);
  if (depth > DEPTH_MAX) return null;
  if (found.type === 'array') return found.items ? [buildExample(found.items, schemas, depth + 1)] : [];
  if (found.properties) {
    const fields = Object.entries(found.properties);
    return Object.fromEntries(fields.map(([name, each]) => [name, buildExample(each, schemas, depth + 1)]));
  }
  const simple: Record<string, unknown> = { integer: 1, number: 1, boolean: true, string: 'text' };
  return simple[found.type ?? ''] ?? null;
}

export function buildCurl({ method, path, described }: Endpoint, origin: string, schemas: Schemas): string {
  const parameters = described.parameters ?? [];
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const found = parameters.find((each) => each.in === 'path' && each.name === name);
    return String(found ? buildExample(found.schema, schemas) : name);
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

export function buildBodyExample({ requestBody }: Endpoint['described'], schemas: Schemas): unknown {
  const json = requestBody?.content?.['application/json'];
  return json?.example ?? (json?.schema && buildRequiredFields(json.schema, schemas));
}

function buildRequiredFields(schema: Schema, schemas: Schemas): unknown {
  const { properties = {}, required = [], example } = resolveSchema(schema, schemas);
  if (example !== undefined) return example;
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, buildExample(properties[name] ?? {}, schemas)]));
}
