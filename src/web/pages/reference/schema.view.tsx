import type { Schema } from './api-reference.ts';
import { resolveSchema } from './build-example.ts';

const SCHEMA_DEPTH_MAX = 3;

interface SchemaFieldsProps {
  schema: Schema;
  schemas: Readonly<Record<string, Schema>>;
  depth?: number;
}

export function SchemaFields({ schema, schemas, depth = 0 }: SchemaFieldsProps) {
  const { properties = {}, required = [] } = findObjectSchema(resolveSchema(schema, schemas), schemas) ?? {};
  const fields = Object.entries(properties);
  if (fields.length === 0) return null;
  return (
    <dl class="fields">
      {fields.map(([name, each]) => (
        <SchemaFieldRow
          name={name}
          schema={each}
          schemas={schemas}
          isRequired={required.includes(name)}
          depth={depth}
        />
      ))}
    </dl>
  );
}

interface SchemaFieldRowProps extends SchemaFieldsProps {
  name: string;
  isRequired: boolean;
}

export function SchemaFieldRow({ name, schema, schemas, isRequired, depth = 0 }: SchemaFieldRowProps) {
  const resolved = resolveSchema(schema, schemas);
  const inner = findObjectSchema(resolved, schemas);
  const description =
    schema.description ??
    resolved.description ??
    resolved.anyOf?.find((each) => each.description)?.description;
  return (
    <div>
      <dt>
        <code>{name}</code> <span class="type">{describeType(resolved, schemas)}</span>
        {isRequired ? null : <span class="type">, optional</span>}
      </dt>
      <dd>
        {description ? <p>{formatCode(description)}</p> : null}
        {resolved.default === undefined ? null : (
          <p>
            Default: <code>{JSON.stringify(resolved.default)}</code>
          </p>
        )}
        {inner && depth < SCHEMA_DEPTH_MAX ? (
          <SchemaFields schema={inner} schemas={schemas} depth={depth + 1} />
        ) : null}
      </dd>
    </div>
  );
}

function findObjectSchema(schema: Schema, schemas: SchemaFieldsProps['schemas']): Schema | null {
  if (schema.properties) return schema;
  if (schema.items) return findObjectSchema(resolveSchema(schema.items, schemas), schemas);
  for (const each of schema.anyOf ?? []) {
    const inner = findObjectSchema(resolveSchema(each, schemas), schemas);
    if (inner) return inner;
  }
  return null;
}

function describeType(schema: Schema, schemas: SchemaFieldsProps['schemas']): string {
  const resolved = resolveSchema(schema, schemas);
  if (resolved.const !== undefined) return JSON.stringify(resolved.const);
  if (resolved.enum) return resolved.enum.map((each) => String(each)).join(' | ');
  if (resolved.anyOf) return resolved.anyOf.map((each) => describeType(each, schemas)).join(' or ');
  if (resolved.type === 'array')
    return resolved.items ? `list of ${describeType(resolved.items, schemas)}` : 'list';
  return resolved.format ?? resolved.type ?? 'any';
}

/** Displays text between backticks as code. */
export function formatCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part));
}
