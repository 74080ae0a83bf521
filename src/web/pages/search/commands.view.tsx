import { useVisit } from '../../components/context.ts';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { SiteForm } from '../../components/site-form.tsx';
import type { Command } from './commands.ts';

export function CommandRows({ commands }: { commands: readonly Command[] }) {
  return (
    <>
      {commands.map((command) => (
        <li>
          <Icon name={command.icon} />
          {command.isForm ? <CommandButton command={command} /> : <CommandLink command={command} />}
        </li>
      ))}
    </>
  );
}

function CommandLink({ command: { path, label } }: { command: Command }) {
  const { base, caller } = useVisit();
  const address = path.startsWith('//') ? path.slice(1) : base + path;
  return (
    <a class="row-name" href={address.replace('WORKSPACE', encodeURIComponent(caller.workspaceId))}>
      {label}
    </a>
  );
}

/** Commands that change data are buttons, because following a link must not change anything. */
function CommandButton({ command: { path, label, back } }: { command: Command }) {
  const { base, browser } = useVisit();
  const button = (
    <button type="submit" class="row-button">
      <bdi>{label}</bdi>
    </button>
  );
  return path.startsWith('//') ? (
    <SiteForm action={path.slice(1)} browser={browser}>
      {button}
    </SiteForm>
  ) : (
    <Form action={base + path} {...(back && { back: base + back })}>
      {button}
    </Form>
  );
}
