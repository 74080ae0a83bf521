/** An upload interrupted by a reload. It resumes when the same file is chosen again. */
export interface Kept {
  readonly session: string;
  readonly chunkBytes: number;
  readonly name: string;
  readonly size: number;
  readonly lastModified: number;
  readonly uploads: string;
  readonly target: string;
}

const KEY = 'edgework:uploads';

export function listUnfinishedUploads(): Kept[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as Kept[];
  } catch {
    return [];
  }
}

export function keep(upload: Kept) {
  storeUploads([...listOthers(upload), upload]);
}

export function forget(upload: Kept) {
  storeUploads(listOthers(upload));
}

export function isSameFile(kept: Kept, { name, size, lastModified }: File): boolean {
  return kept.name === name && kept.size === size && kept.lastModified === lastModified;
}

function listOthers({ session }: Kept): Kept[] {
  return listUnfinishedUploads().filter((each) => each.session !== session);
}

function storeUploads(uploads: readonly Kept[]) {
  try {
    localStorage.setItem(KEY, JSON.stringify(uploads));
  } catch {
    // Without storage uploads work, but a reload ends them.
  }
}
