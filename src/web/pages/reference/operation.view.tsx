import type { ApiReference, Endpoint } from './api-reference.ts';
import { buildCurlCommand, buildExample } from './build-example.ts';
import { formatCode, SchemaFieldRow, SchemaFields } from './schema.view.tsx';
import { TryRequestForm } from './try-request.view.tsx';

interface OperationSectionProps {
  endpoint: Endpoint;
  reference: ApiReference;
  origin: string;
}

export function OperationSection({ endpoint, reference: { schemas }, origin }: OperationSectionProps) {
  const { method, path, described } = endpoint;
  const { operationId, summary, description, parameters = [], requestBody, responses } = described;
  const body = requestBody?.content?.['application/json']?.schema;
  const [status, answer] = Object.entries(responses).find(([each]) => each.startsWith('2')) ?? [];
  const output = answer?.content?.['application/json']?.schema;
  const isSent = path.startsWith('/');
  return (
    <section class="operation card" id={operationId} aria-labelledby={`${operationId}-name`}>
      <h2 id={`${operationId}-name`}>{summary}</h2>
      <p>
        <code class="endpoint">
          <b>{method}</b> {isSent ? `/v1${path}` : path}
        </code>
      </p>
      {description ? <p>{formatCode(description)}</p> : null}
      {isSent ? <RequiredAccess access={described['x-access']} /> : null}
      {(['path', 'query', 'header'] as const).map((location) => {
        const matches = parameters.filter((each) => each.in === location);
        return matches.length === 0 ? null : (
          <details open={location === 'path'}>
            <summary>{parameterHeadings[location]}</summary>
            <dl class="fields">
              {matches.map(({ name, schema, required = false }) => (
                <SchemaFieldRow name={name} schema={schema} schemas={schemas} isRequired={required} />
              ))}
            </dl>
          </details>
        );
      })}
      {body ? (
        <details open>
          <summary>Body</summary>
          <SchemaFields schema={body} schemas={schemas} />
        </details>
      ) : null}
      {isSent ? (
        <>
          <h3>Request</h3>
          <pre tabindex={0}>{buildCurlCommand(endpoint, origin, schemas)}</pre>
          <TryRequestForm endpoint={endpoint} schemas={schemas} />
        </>
      ) : null}
      {output ? (
        <>
          <h3>
            Response <code>{status}</code>
          </h3>
          <pre tabindex={0}>{JSON.stringify(buildExample(output, schemas), null, 2)}</pre>
          <details>
            <summary>Response fields</summary>
            <SchemaFields schema={output} schemas={schemas} />
          </details>
        </>
      ) : null}
      <details>
        <summary>Status codes</summary>
        <dl class="fields">
          {Object.entries(responses).map(([code, response]) => (
            <div>
              <dt>
                <code>{code}</code>
              </dt>
              <dd>{formatCode(response.description)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

const parameterHeadings = { path: 'Path parameters', query: 'Query parameters', header: 'Headers' } as const;

function RequiredAccess({ access = '' }: { access?: string | undefined }) {
  if (access === 'public') return <p class="meta">No credential required.</p>;
  if (access === 'session') return <p class="meta">Requires a session token.</p>;
  return (
    <p class="meta">
      Requires the {access.includes(' ') ? 'scopes' : 'scope'} <code>{access}</code>
    </p>
  );
}
