import type { SignedInBrowser } from '../../../accounts/browser-sessions/browser-session.ts';
import { Field } from '../../components/field.tsx';
import { SiteForm } from '../../components/site-form.tsx';
import type { RejectedForm } from '../../page-model/page.ts';

export function NewWorkspaceForm({
  browser,
  rejected,
}: {
  browser: SignedInBrowser;
  rejected?: RejectedForm | null;
}) {
  return (
    <SiteForm action="/account/workspaces" browser={browser} class="card row" rejected={rejected}>
      <Field
        id="workspace-name"
        name="name"
        label="New workspace"
        autocomplete="off"
        maxlength={200}
        placeholder="Workspace name"
      />
      <button type="submit" class="plain">
        Create
      </button>
    </SiteForm>
  );
}
