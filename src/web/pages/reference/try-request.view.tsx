import type { Endpoint, Schema } from './api-reference.ts';
import { buildBodyExample, buildExample } from './build-example.ts';

interface TryRequestFormProps {
  endpoint: Endpoint;
  schemas: Readonly<Record<string, Schema>>;
}

/** Hidden until src/web/client/try-request.ts shows the form, because sending needs JavaScript. */
export function TryRequestForm({ endpoint: { method, path, described }, schemas }: TryRequestFormProps) {
  const { operationId, parameters = [], requestBody } = described;
  const body = buildBodyExample(described, schemas);
  if (requestBody && body === undefined) return null;
  return (
    <form
      class="try"
      hidden
      data-method={method}
      data-path={`/v1${path}`}
      data-public={described['x-access'] === 'public' ? '' : undefined}
    >
      <h3>Try it out</h3>
      {parameters.map(({ in: place, name, schema, required = false }) => {
        const example = String(
          schema.example ?? schema.default ?? (place === 'path' ? buildExample(schema, schemas) : ''),
        );
        const id = `${operationId}.${place}.${name}`;
        return (
          <p>
            <label for={id}>
              <code>{name}</code>
            </label>
            <input
              id={id}
              name={name}
              data-in={place}
              required={required}
              autocomplete="off"
              value={place === 'path' ? example : ''}
              placeholder={place === 'path' ? '' : example}
            />
          </p>
        );
      })}
      {body === undefined ? null : (
        <p>
          <label for={`${operationId}.body`}>Body</label>
          <textarea id={`${operationId}.body`} data-in="body" rows={8} spellcheck={false}>
            {JSON.stringify(body, null, 2)}
          </textarea>
        </p>
      )}
      <button type="submit">Send</button>
      <p role="status" />
      <pre tabindex={0} hidden />
    </form>
  );
}

export function TryCredentialForm() {
  return (
    <form class="try-credential card" hidden>
      <p>
        <label for="try-credential">API key or token</label>
        <input id="try-credential" type="password" autocomplete="off" spellcheck={false} />
      </p>
      <p>
        <label>
          <input type="checkbox" name="keep" /> Remember for this tab
        </label>
      </p>
    </form>
  );
}
