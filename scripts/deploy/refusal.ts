/** What ends a deployment, with what to do about it. */
export class Refusal extends Error {}

export function refuseIfAny(title: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Refusal(asList(title, problems));
}

export function asList(title: string, lines: readonly string[]): string {
  return [title, ...lines.map((line) => `  ${line}`)].join('\n');
}
