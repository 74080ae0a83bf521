// Checks Redocly's recommended rules and Spectral's OpenAPI rules. Warnings count as problems, except for Redocly's
// warnings about components that are used only in `x-with-fields`, which Redocly ignores.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface LintResult {
  readonly name: string;
  readonly problems: readonly string[];
}

export function lint(tools: string, folder: string, document: string): LintResult[] {
  const rules = join(folder, 'spectral.yaml');
  writeFileSync(rules, 'extends: ["spectral:oas"]\n');
  return [
    runLinter(
      'Redocly',
      join(tools, 'redocly'),
      ['lint', document, '--extends=recommended', '--format=json'],
      (printed) => parseRedoclyProblems(printed, listReferences(document)),
    ),
    runLinter(
      'Spectral',
      join(tools, 'spectral'),
      ['lint', document, '--ruleset', rules, '--format=json', '--quiet'],
      parseSpectralProblems,
    ),
  ];
}

function runLinter(
  name: string,
  program: string,
  args: readonly string[],
  read: (printed: unknown) => string[],
): LintResult {
  const { stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  try {
    return { name, problems: read(JSON.parse(stdout)) };
  } catch {
    return { name, problems: [`printed no JSON: ${(stdout + stderr).slice(0, 1_000)}`] };
  }
}

function listReferences(document: string): ReadonlySet<string> {
  const text = readFileSync(document, 'utf8');
  return new Set([...text.matchAll(/"\$ref":\s*"([^"]+)"/g)].map(([, target = '']) => target));
}

function parseRedoclyProblems(printed: unknown, referenced: ReadonlySet<string>): string[] {
  const { problems } = printed as {
    problems: { ruleId: string; message: string; location: { pointer: string }[] }[];
  };
  return problems
    .filter(
      ({ ruleId, location: [at] }) => ruleId !== 'no-unused-components' || !referenced.has(at?.pointer ?? ''),
    )
    .map(({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer}: ${message}`);
}

function parseSpectralProblems(printed: unknown): string[] {
  const found = printed as { code: string; message: string; path: string[] }[];
  return found.map(({ code, message, path }) => `${code} ${path.join('/')}: ${message}`);
}
