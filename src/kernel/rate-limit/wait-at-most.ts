export async function waitAtMost<T>(
  ms: number,
  awaited: T | Promise<T>,
  late: () => void = () => undefined,
): Promise<T | null> {
  // A value that isn't a promise, such as a local count, needs no timer.
  if (!(awaited instanceof Promise)) return awaited;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      late();
      resolve(null);
    }, ms);
  });
  try {
    return await Promise.race([awaited, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
