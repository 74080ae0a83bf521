import type { Schema } from './document.ts';
import { resolveSchema } from './example.ts';

const DEPTH_MAX = 3;

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
        <FieldRow
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

interface FieldRowProps extends SchemaFieldsProps {
  name: string;
  isRequired: boolean;
}

export function FieldRow({ name, schema, schemas, isRequired, depth = 0 }: FieldRowProps) {
  const found = resolveSchema(schema, schemas);
  const inner = findObjectSchema(found, schemas);
  const description =
    schema.description ?? found.description ?? found.anyOf?.find((each) => each.description)?.description;
  return (
    <div>
      <dt>
        <code>{name}</code> <span class="type">{describeType(found, schemas)}</span>{' '}
        {isRequired ? null : <span class="type">optional</span>}
      </dt>
      <dd>
        {description ? <p>{description}</p> : null}
        {found.default === undefined ? null : (
          <p>
            Default: <code>{JSON.stringify(found.default)}</code>
          </p>
        )}
        {inner && depth < DEPTH_MAX ? (
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
  const found = resolveSchema(schema, schemas);
  if (found.const !== undefined) return JSON.stringify(found.const);
  if (found.enum) return found.enum.map((each) => String(each)).join(' | ');
  if (found.anyOf) return found.anyOf.map((each) => describeType(each, schemas)).join(' or ');
  if (found.type === 'array') return found.items ? `list of ${describeType(found.items, schemas)}` : 'list';
  return found.format ?? found.type ?? 'any';
}
