// `scripts/check-openapi.ts`: holds the OpenAPI document against the tools of those who read it. Redocly and Spectral lint it,
// its examples are sent to a fresh demo as they stand, and some hundred varied calls go through Prism, which compares what is
// sent and answered with the document. Prints a line a check; exits 1 where one fails.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Document } from './check-openapi/document.ts';
import { sendExamples } from './check-openapi/examples.ts';
import { lint } from './check-openapi/lint.ts';
import { playThroughPrism } from './check-openapi/prism.ts';
import { root } from './databases.ts';
import { installTools } from './foreign-tools.ts';
import { withServer } from './record/server.ts';

/** Where a deployment would answer: linters do not want a document of localhost. */
const DEPLOYED = 'https://edgework.test';

const tools = installTools('openapi', {
  '@redocly/cli': '2.77.0',
  '@stoplight/spectral-cli': '6.16.3',
  '@stoplight/prism-cli': '5.16.0',
});
const folder = mkdtempSync(join(root, '.wrangler', 'openapi-'));
let [passed, failed] = [0, 0];
try {
  await withServer(root, async (origin) => {
    const text = await (await fetch(`${origin}/openapi.json`)).text();
    const served = join(folder, 'deployed.json');
    writeFileSync(served, text.replaceAll(origin, DEPLOYED));
    for (const { name, problems } of lint(tools, folder, served)) tell(name, problems);
    const { sent, problems } = await sendExamples(origin, JSON.parse(text) as Document);
    tell(`Examples: ${sent} requests as they stand`, problems);
  });
  await withServer(root, async (origin) => {
    const { calls, problems } = await playThroughPrism(tools, folder, origin);
    tell(`Prism: ${calls} calls`, problems);
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

function tell(name: string, problems: readonly string[]) {
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  for (const problem of problems) console.log(`     ${problem}`);
  if (problems.length === 0) passed += 1;
  else failed += 1;
}
