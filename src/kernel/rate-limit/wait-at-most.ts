export async function waitAtMost<T>(
  ms: number,
  awaited: T | Promise<T>,
  late: () => void = () => undefined,
): Promise<T | null> {
  // A local count is already available, so it needs no timer.
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
