import type { Route } from '../../../kernel/http/route.ts';
import { describeDeprecation, listDeprecatedInputs } from '../../../kernel/operation/deprecation.ts';

export function DeprecationsSection({ routes }: { routes: readonly Route[] }) {
  const deprecated = routes.flatMap((route) => {
    const { operation } = route;
    const name = `${route.method} /v1${route.path.replace(/:(\w+)/g, '{$1}')}`;
    const inputs = listDeprecatedInputs(operation).map(([input, each]) => ({ name, input, each }));
    return [...(operation.deprecated ? [{ name, input: null, each: operation.deprecated }] : []), ...inputs];
  });
  return (
    <section aria-labelledby="deprecations">
      <h2 id="deprecations">Deprecations</h2>
      {deprecated.length === 0 ? <p>Nothing in the API is deprecated.</p> : null}
      <ul>
        {deprecated.map(({ name, input, each }) => (
          <li>
            <code>{name}</code>
            {input === null ? null : (
              <>
                , <code>{input}</code>
              </>
            )}
            : {describeDeprecation(each)}
          </li>
        ))}
      </ul>
    </section>
  );
}
