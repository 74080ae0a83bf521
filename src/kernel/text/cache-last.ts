/** Caches only the last result, because a bulk change can set the same long text on a hundred tasks. */
export function cacheLastResult<R>(compute: (text: string) => R): (text: string) => R {
  let last: { text: string; result: R } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: compute(text) };
    return last.result;
  };
}
