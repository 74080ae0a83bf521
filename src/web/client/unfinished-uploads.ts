/** An upload that a reload interrupted. It resumes when the person selects the same file again. */
export interface UnfinishedUpload {
  readonly session: string;
  readonly chunkBytes: number;
  readonly name: string;
  readonly size: number;
  readonly lastModified: number;
  readonly uploads: string;
  readonly target: string;
}

const STORAGE_KEY = 'edgework:uploads';

export function listUnfinishedUploads(): UnfinishedUpload[] {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]') as UnfinishedUpload[];
  } catch {
    return [];
  }
}

export function storeUnfinishedUpload(upload: UnfinishedUpload) {
  replaceUnfinishedUploads([...listOtherUploads(upload), upload]);
}

export function deleteUnfinishedUpload(upload: UnfinishedUpload) {
  replaceUnfinishedUploads(listOtherUploads(upload));
}

export function matchesFile(kept: UnfinishedUpload, { name, size, lastModified }: File): boolean {
  return kept.name === name && kept.size === size && kept.lastModified === lastModified;
}

function listOtherUploads({ session }: UnfinishedUpload): UnfinishedUpload[] {
  return listUnfinishedUploads().filter((each) => each.session !== session);
}

function replaceUnfinishedUploads(uploads: readonly UnfinishedUpload[]) {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(uploads));
  } catch {
    // Without storage, an upload can't resume after a reload.
  }
}
