import { getWorkspaceBase } from '../screen-url.ts';

export interface QuickCreateDraft {
  readonly name: string;
  readonly project: string;
  /** The form key, which prevents the task from being created twice, even if it is sent again after a reload. */
  readonly key: string;
  /**
   * Why the server rejected the task. An empty string if the text was never submitted, but had to make room in the
   * field for a rejected task. Otherwise null.
   */
  readonly problem: string | null;
}

/** src/web/client/drafts.ts deletes drafts with this prefix when the person signs out. */
const getStorageKey = () => `draft:${getWorkspaceBase()} quick-create`;

export function createDraft(project = ''): QuickCreateDraft {
  return { name: '', project, key: `${Date.now()}.${Math.random()}`, problem: null };
}

export function readDraft(): QuickCreateDraft {
  const empty = createDraft();
  try {
    return { ...empty, ...JSON.parse(sessionStorage.getItem(getStorageKey()) ?? '{}') };
  } catch {
    return empty;
  }
}

export function saveDraft(draft: QuickCreateDraft) {
  try {
    if (draft.name === '') deleteDraft();
    else sessionStorage.setItem(getStorageKey(), JSON.stringify(draft));
  } catch {
    // If the tab's storage is full, the text lasts until the dialog is closed.
  }
}

export function deleteDraft() {
  sessionStorage.removeItem(getStorageKey());
}
