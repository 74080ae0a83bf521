// `scripts/check-openapi.ts` checks the OpenAPI document with Redocly and Spectral, sends its unchanged examples to a
// new demo server, and lets Prism compare every request and response with the document. Exits with 1 if a check fails.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './databases.ts';
import { installTools } from './foreign-tools.ts';
import { lint } from './openapi/lint.ts';
import { checkWithPrism } from './openapi/prism.ts';
import { withServer } from './own-server.ts';

const CALLS_MIN = 300;
/** The linters reject a document with the host localhost. */
const DEPLOYED_ORIGIN = 'https://edgework.test';

const tools = installTools('openapi', {
  '@redocly/cli': '2.77.0',
  '@stoplight/spectral-cli': '6.16.3',
  '@stoplight/prism-cli': '5.16.0',
});
const folder = mkdtempSync(join(root, '.wrangler', 'openapi-'));
let [passed, failed] = [0, 0];
try {
  await withServer('openapi', async ({ origin }) => {
    const text = await (await fetch(`${origin}/openapi.json`)).text();
    const served = join(folder, 'deployed.json');
    writeFileSync(served, text.replaceAll(origin, DEPLOYED_ORIGIN));
    for (const { name, problems } of lint(tools, folder, served)) report(name, problems);
    const { sentRequests, violations } = await checkWithPrism(tools, folder, origin, text);
    const examples = sentRequests.filter(({ name }) => name.startsWith('example'));
    const off = examples.filter(({ isUnexpected }) => isUnexpected);
    report(
      `Examples: ${examples.length} unchanged requests`,
      off.map(({ name, answer }) => `${name} returned ${answer.status}: ${answer.text.slice(0, 300)}`),
    );
    const few = sentRequests.length < CALLS_MIN ? [`only ${sentRequests.length} requests were sent`] : [];
    report(`Prism: ${sentRequests.length} requests`, [...few, ...violations]);
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

function report(name: string, problems: readonly string[]) {
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  for (const problem of problems) console.log(`     ${problem}`);
  if (problems.length === 0) passed += 1;
  else failed += 1;
}
