import { getReach } from '../../../kernel/access/capabilities.ts';
import { type Bot, botIcons } from '../../../workspaces/bots/bots.schema.ts';
import { useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { SettingsNavigation } from '../../components/settings-navigation.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { botsParams, botsReads } from './bots.tsx';

type Props = ViewProps<typeof botsParams, typeof botsReads, Record<never, never>>;

export const botRoleOptions = [
  ['admin', 'Admin'],
  ['lead', 'Lead'],
  ['member', 'Member'],
  ['client', 'Client'],
] as const;
const iconLabels: Readonly<Record<string, string>> = {
  bot: 'Robot',
  rocket: 'Rocket',
  bell: 'Bell',
  bug: 'Bug',
  code: 'Code',
  gauge: 'Gauge',
};
export const botIconOptions = botIcons.map((icon) => [icon, iconLabels[icon] ?? icon] as const);

export function BotsView({ visit: { base, caller, rejected }, answers: { bots } }: Props) {
  const action = `${base}/bots`;
  return (
    <div class="settings">
      <header class="head">
        <h1>Bots</h1>
      </header>
      <SettingsNavigation />
      {bots.data.length === 0 ? (
        <EmptyState icon="bot">
          <p>
            Bots act under their own name, with keys that you create. A person is accountable for each bot.
          </p>
        </EmptyState>
      ) : (
        <ul class="rows panel group">
          {bots.data.map((bot) => (
            <BotRow bot={bot} />
          ))}
        </ul>
      )}
      {getReach(caller, 'managePeople') === 'all' ? (
        <details class="edit" open={rejected?.action === action}>
          <summary class="button">
            <Icon name="plus" />
            New bot
          </summary>
          <Form action={action} class="panel padded">
            <Field name="name" label="Name" maxlength={100} autocomplete="off" placeholder="Release bot" />
            <Select name="icon" label="Icon" value="bot" options={botIconOptions} />
            <Select name="role" label="Role" value="member" options={botRoleOptions} />
            <p class="hint">You'll be accountable for its actions.</p>
            <button type="submit">Create bot</button>
          </Form>
        </details>
      ) : null}
    </div>
  );
}

function BotRow({ bot: { id, name, icon, role, accountable, keys } }: { bot: Bot }) {
  const { base } = useVisit();
  return (
    <li>
      <Icon name={icon} />
      <a class="row-name" href={`${base}/bots/${id}`}>
        <bdi>{name}</bdi>
      </a>
      <span class="row-meta">{botRoleOptions.find(([each]) => each === role)?.[1]}</span>
      <span class="row-meta wide-only">{keys === 1 ? '1 key' : `${keys} keys`}</span>
      <span class="row-meta">
        Accountable person: <bdi>{accountable.name}</bdi>
      </span>
    </li>
  );
}
