/**
 * The same function, which computes nothing where it is asked again for what it was asked last: a bulk may give one long text
 * to a hundred tasks.
 */
export function rememberLast<R>(compute: (text: string) => R): (text: string) => R {
  let last: { text: string; result: R } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: compute(text) };
    return last.result;
  };
}
