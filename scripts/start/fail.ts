/** Ends this process with a sentence for the person before the terminal. */
export function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
