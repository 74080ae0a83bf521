import { defaultWords, type Vocabulary } from '../text/wording.ts';
import { listPathParameters, type Route } from './route.ts';

/** In REST messages, a call looks like `GET /v1/task-types?categoryId=3`. Fields keep the operation's names. */
export function buildRestWords(routes: readonly Route[]): Vocabulary {
  const byOperation = new Map(routes.map((route) => [route.operation.name, route]));
  return {
    ...defaultWords,
    call(operation, input = {}) {
      const route = byOperation.get(operation);
      if (!route) return operation;
      const inPath = listPathParameters(route.path);
      const path = route.path.replace(/:(\w+)/g, (_, name: string) => String(input[name] ?? `{${name}}`));
      const query = Object.entries(input)
        .filter(([name]) => !inPath.includes(name))
        .map(([name, value]) => `${name}=${value}`);
      return `${route.method} /v1${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
    },
  };
}
