import { getWorkspaceBase } from '../screen-address.ts';

export interface QuickCreateDraft {
  readonly name: string;
  readonly project: string;
  /** The form key, which prevents the task from being created twice, even if it is sent again after a reload. */
  readonly key: string;
  /** Why the submitted task wasn't created, or '' for text that the person typed in the meantime. */
  readonly problem: string | null;
}

/** src/web/client/drafts.ts deletes drafts with this prefix when the person signs out. */
const getKey = () => `draft:${getWorkspaceBase()} quick-create`;

export function createDraft(project = ''): QuickCreateDraft {
  return { name: '', project, key: `${Date.now()}.${Math.random()}`, problem: null };
}

export function readDraft(): QuickCreateDraft {
  const empty = createDraft();
  try {
    return { ...empty, ...JSON.parse(sessionStorage.getItem(getKey()) ?? '{}') };
  } catch {
    return empty;
  }
}

export function saveDraft(draft: QuickCreateDraft) {
  try {
    if (draft.name === '') deleteDraft();
    else sessionStorage.setItem(getKey(), JSON.stringify(draft));
  } catch {
    // If the tab's storage is full, the text lasts until the dialog is closed.
  }
}

export function deleteDraft() {
  sessionStorage.removeItem(getKey());
}
