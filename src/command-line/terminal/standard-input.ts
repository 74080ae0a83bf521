import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

export async function readStandardInput(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** `-` means standard input, so that long text can be piped. */
export async function readTextArgument(given: string): Promise<string> {
  return given === '-' ? (await readStandardInput()).trimEnd() : given;
}

/** Returns an empty string if the person ends the input. */
export async function ask(question: string, { isHidden = false } = {}): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({
    input: process.stdin,
    output: isHidden ? silent : process.stderr,
    terminal: true,
  });
  if (isHidden) process.stderr.write(question);
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    return await Promise.race([terminal.question(isHidden ? '' : question), ended]);
  } catch {
    return '';
  } finally {
    terminal.close();
    if (isHidden) process.stderr.write('\n');
  }
}
