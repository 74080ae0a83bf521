/** A page can load several scripts that contain the same module. Only one of them may add its listeners. */
export function isFirstCall(name: string): boolean {
  const { dataset } = document.documentElement;
  if (dataset[name] !== undefined) return false;
  dataset[name] = '';
  return true;
}
