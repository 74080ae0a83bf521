export function setQueryParameter(address: string, name: string, value: string | null): string {
  const [path = '', search = ''] = address.split('?');
  const query = new URLSearchParams(search);
  if (value === null) query.delete(name);
  else query.set(name, value);
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
