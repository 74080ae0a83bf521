import { EdgeworkError } from '../../../.wrangler/assets/client.js';
import { toPlainLine } from './output.ts';

/** The process's exit codes, documented in docs/command-line.md. Scripts depend on them. */
export const exitCodes = { failed: 1, usage: 2, signIn: 3, notFound: 4, unreachable: 5 } as const;
/** The exit code of a program whose output is no longer read (128 + SIGPIPE). */
export const CLOSED_PIPE_EXIT_CODE = 141;
type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An error that the person can correct. Its message is printed without a stack trace. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function getExitCode(error: unknown): ExitCode {
  if (error instanceof CommandError) return error.exitCode;
  if (isConnectionError(error)) return exitCodes.unreachable;
  if (!(error instanceof EdgeworkError)) return exitCodes.failed;
  if (error.code === 'unauthorized') return exitCodes.signIn;
  return error.code === 'not_found' ? exitCodes.notFound : exitCodes.failed;
}

/** Messages quote text from the server and from other people, so they are made safe for the terminal. */
export function describeError(error: unknown, server = 'the server'): string {
  if (isConnectionError(error)) return `Couldn't reach ${server}: ${findReason(error)}.`;
  if (error instanceof EdgeworkError) {
    const request = error.code === 'internal' && error.requestId ? ` (request ${error.requestId})` : '';
    const hint = error.code === 'unauthorized' ? ` ${describeSignIn()}` : '';
    return toPlainLine(`${error.message}${request}${hint}`);
  }
  const isExpected = error instanceof CommandError || (error as NodeJS.ErrnoException)?.syscall !== undefined;
  if (isExpected || !process.env.EW_DEBUG)
    return toPlainLine(error instanceof Error ? error.message : String(error));
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** `fetch` throws a TypeError without a code. Its cause has the reason. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof EdgeworkError) return error.code === 'network';
  return error instanceof Error && (error.name === 'TimeoutError' || error.message === 'fetch failed');
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name is unknown',
  ETIMEDOUT: 'there was no response',
  UND_ERR_CONNECT_TIMEOUT: 'there was no response',
  TimeoutError: 'there was no response',
};

function findReason(error: unknown): string {
  let deepest = error as { code?: unknown; name?: string; message?: string; cause?: unknown };
  while (deepest.cause instanceof Error) deepest = deepest.cause;
  return (
    reasons[String(deepest.code)] ?? reasons[String(deepest.name)] ?? toPlainLine(String(deepest.message))
  );
}

function describeSignIn(): string {
  if (process.env.EW_TOKEN) return 'Replace EW_TOKEN.';
  const at = process.argv.indexOf('--profile');
  const profile = at < 0 ? '' : ` --profile ${process.argv[at + 1] ?? ''}`;
  return `Sign in again with \`ew sign-in${profile}\`.`;
}
