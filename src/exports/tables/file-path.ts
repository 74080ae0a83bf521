const NAME_CHARACTERS_MAX = 100;
/** Characters that some systems don't allow in paths, and those that change how a name is displayed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes.
const UNSAFE_PATTERN = /[\\/:*?"<>|\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Every path is unique, because it contains the id of the file. */
export function buildFilePath({ id, file_name }: { id: number; file_name: string }): string {
  const name = file_name.toWellFormed().replace(UNSAFE_PATTERN, '_');
  const ending = /\.[\w-]{1,15}$/.exec(name)?.[0] ?? '';
  const stem = [...name.slice(0, name.length - ending.length)].slice(0, NAME_CHARACTERS_MAX).join('');
  return `files/${id}-${stem}${ending}`.replace(/[. ]+$/, '_');
}
