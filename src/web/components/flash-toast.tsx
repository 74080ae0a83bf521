import { useVisit } from './context.ts';
import { Form } from './form.tsx';

export function FlashToast() {
  const { flash, base } = useVisit();
  return (
    <div id="flash-message" class="toast" role="status">
      {flash?.text}
      {flash?.link ? <a href={base + flash.link.path}>{flash.link.label}</a> : null}
      {flash?.undo ? (
        <Form action={base + flash.undo.path} of={flash.undo.fields}>
          <button type="submit" class="quiet" aria-keyshortcuts="z">
            Undo
          </button>
        </Form>
      ) : null}
    </div>
  );
}
