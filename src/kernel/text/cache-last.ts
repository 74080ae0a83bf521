/** Caching only the last result is enough: a bulk change sets the same long text on many tasks in a row. */
export function cacheLastResult<R>(compute: (text: string) => R): (text: string) => R {
  let last: { text: string; result: R } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: compute(text) };
    return last.result;
  };
}
