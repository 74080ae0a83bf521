// `scripts/check-generators.ts` generates clients from the OpenAPI document with openapi-typescript, Hey API and orval,
// compiles them with strict options, and uses each to call a new demo server. It also converts the document to a
// Postman collection, and compiles a program that uses our own client. Exits with 1 if a check fails.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installTools } from './foreign-tools.ts';
import { compileServedClient } from './openapi/client-versions.ts';
import {
  type ClientCheckResult,
  callWithClients,
  compileClients,
  generateClients,
  importIntoPostman,
} from './openapi/generators.ts';
import { withServer } from './own-server.ts';

const tools = installTools('generators', {
  '@hey-api/openapi-ts': '0.99.0',
  'openapi-fetch': '0.17.0',
  'openapi-to-postmanv2': '6.3.3',
  'openapi-typescript': '7.13.0',
  orval: '8.38.0',
  typescript: '5.9.3',
});
// Placed next to node_modules, so that generated code can import from it.
const folder = mkdtempSync(join(dirname(dirname(tools)), 'clients-'));
let [passed, failed] = [0, 0];
try {
  await withServer('generators', async ({ origin }) => {
    report(await compileServedClient(folder, await (await fetch(`${origin}/client.d.ts`)).text()));
    const document = join(folder, 'openapi.json');
    writeFileSync(document, await (await fetch(`${origin}/openapi.json`)).text());
    const baseUrl = `${origin}/v1`;
    report(await generateClients(tools, folder, document, baseUrl));
    report(await compileClients(tools, folder));
    report(await callWithClients(folder, baseUrl, await signIn(baseUrl)));
    report([await importIntoPostman(tools, folder, document)]);
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

async function signIn(baseUrl: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'owner@demo.test', password: 'demo-password-1' }),
  });
  return ((await answer.json()) as { token: string }).token;
}

function report(results: readonly ClientCheckResult[]) {
  for (const { name, problems } of results) {
    console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name}`);
    for (const problem of problems) console.log(`     ${problem}`);
    if (problems.length === 0) passed += 1;
    else failed += 1;
  }
}
