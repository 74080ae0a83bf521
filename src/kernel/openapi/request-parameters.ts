import * as z from 'zod';
import { pickQueryInput, type Route } from '../http/route.ts';
import { getTrimmedOutputSchema, listFieldNames } from '../http/trim-fields.ts';
import { exampleTag } from '../operation/examples.ts';
import { parameterGroups } from '../operation/schema.ts';

export function buildQuerySchema(route: Route): z.ZodObject {
  return documentCommaSeparatedLists(addFieldsParameter(route, pickQueryInput(route)));
}

export function getTrimmedSchemaName({ method, operation }: Route): string | undefined {
  return method === 'GET' ? getTrimmedOutputSchema(operation.output)?.meta()?.id : undefined;
}

export function buildHeaderSchema({ method, operation, body }: Route): z.ZodObject {
  const buildOptional = (meta: { description: string; example?: string }) => z.string().optional().meta(meta);
  if (method === 'GET') {
    return z.object({
      'If-None-Match': buildOptional({
        description: 'The ETag of the response you already have.',
        example: exampleTag,
      }),
    });
  }
  if (body === 'bytes') {
    const description =
      "The SHA-256 of the chunk in hex. If it doesn't match the bytes received, the response is 400.";
    return z.object({ 'X-Chunk-SHA256': buildOptional({ description }) });
  }
  if (operation.access === 'public') return z.object({});
  return z.object({
    // Has no example, because clients would copy it and send the same key with different requests.
    'Idempotency-Key': buildOptional({
      description:
        'Makes retries safe: within 24 hours, requests with the same key take effect only once. Use a UUID.',
    }),
    ...(operation.isMinimal && {
      Prefer: buildOptional({
        description: '`return=minimal` returns only the id and version of each task, or its error.',
        example: 'return=minimal',
      }),
    }),
    ...(operation.precondition
      ? {
          'If-Match': buildOptional({
            description:
              'The ETag you read, or its leading version number. If the resource has since changed, the response is 412. `*` matches any version.',
            example: '*',
          }),
        }
      : {}),
  });
}

/** Documents that commas separate list items in a query. OpenAPI's default is one parameter per item. */
function documentCommaSeparatedLists(query: z.ZodObject): z.ZodObject {
  const shape = Object.entries(query.shape as Record<string, z.ZodType>).map(([name, schema]) => {
    const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
    const isList = inner instanceof z.ZodArray;
    const { param, ...meta } = schema.meta() ?? {};
    if (parameterGroups.has(schema)) {
      return [name, schema.meta({ ...meta, param: { ...(param as object), style: 'form', explode: true } })];
    }
    return [
      name,
      isList
        ? schema.meta({ ...meta, param: { ...(param as object), style: 'form', explode: false } })
        : schema,
    ];
  });
  return z.object(Object.fromEntries(shape));
}

function addFieldsParameter(route: Route, query: z.ZodObject): z.ZodObject {
  const names = listFieldNames(route.operation.output);
  if (route.method !== 'GET' || names.length === 0) return query;
  return query.extend({
    fields: z
      .array(z.enum(names))
      .optional()
      .meta({
        description: `Returns only these fields. The response then has the schema ${getTrimmedSchemaName(route)}, in which every field is optional.`,
      }),
  });
}
