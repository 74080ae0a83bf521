import { useRejectedForm } from './context.ts';

export function RevokeAccessField({ isChosen = false }: { isChosen?: boolean | undefined }) {
  const rejected = useRejectedForm();
  return (
    <fieldset class="field pick-list" aria-describedby="end-access-hint">
      <legend class="off-screen">API keys and apps</legend>
      <label class="check">
        <input
          type="checkbox"
          name="endAccess"
          value="true"
          checked={isChosen || rejected?.values.get('endAccess') === 'true'}
        />
        <span>Revoke all my API keys, connected apps, webhooks and calendar links</span>
      </label>
      <p class="hint" id="end-access-hint">
        Otherwise they keep working. Select this if someone else might know your password.
      </p>
    </fieldset>
  );
}
