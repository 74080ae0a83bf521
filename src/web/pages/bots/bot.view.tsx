import { isBotId } from '../../../kernel/access/bot-ids.queries.ts';
import { getReach } from '../../../kernel/access/capabilities.ts';
import { Confirmation } from '../../components/confirmation.tsx';
import { useVisit } from '../../components/context.ts';
import { Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { PersonSelect } from '../../components/searchable-select.tsx';
import { SettingsNavigation } from '../../components/settings-navigation.tsx';
import { RelativeTime } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { botParams, botReads } from './bots.tsx';
import { botIconOptions, botRoleOptions } from './bots.view.tsx';

type Props = ViewProps<typeof botParams, typeof botReads, Record<never, never>>;
type BotKey = NonNullable<Props['answers']['bot']['credentials']>[number];

export function BotView({ visit: { base, caller, secret }, answers: { bot, people } }: Props) {
  const isManager = getReach(caller, 'managePeople') === 'all';
  return (
    <div class="settings">
      <header class="head">
        <h1>
          <Icon name={bot.icon} /> <bdi>{bot.name}</bdi>
        </h1>
        <a href={`${base}/bots`}>All bots</a>
      </header>
      <SettingsNavigation />
      <p class="hint">
        {botRoleOptions.find(([each]) => each === bot.role)?.[1]} · Accountable person:{' '}
        <bdi>{bot.accountable.name}</bdi>
      </p>
      {secret === null ? null : <NewBotKeyNotice secret={secret} />}
      {isManager ? <BotSettings bot={bot} people={people} /> : null}
      {bot.credentials === null ? null : (
        <BotKeysSection bot={bot} keys={bot.credentials} isManager={isManager} />
      )}
      {isManager ? (
        <Confirmation
          label="Remove bot…"
          action={`${base}/bots/${bot.id}/remove`}
          confirm={`Remove ${bot.name}`}
        >
          <p>
            Its keys will stop working, and its open tasks will become unassigned. Its changes stay in the
            history.
          </p>
        </Confirmation>
      ) : null}
    </div>
  );
}

function BotSettings({ bot, people }: { bot: Props['answers']['bot']; people: Props['answers']['people'] }) {
  const { base } = useVisit();
  const botUrl = `${base}/bots/${bot.id}`;
  const humans = { ...people, data: people.data.filter(({ id, role }) => !isBotId(id) && role !== 'client') };
  return (
    <section class="group" aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      <Form
        action={botUrl}
        class="panel padded"
        snapshot={{ name: bot.name, icon: bot.icon, accountableId: bot.accountable.id }}
      >
        <Field name="name" label="Name" value={bot.name} maxlength={100} autocomplete="off" />
        <Select name="icon" label="Icon" value={bot.icon} options={botIconOptions} />
        <PersonSelect
          name="accountableId"
          label="Accountable person"
          people={humans}
          value={bot.accountable.id}
          current={bot.accountable}
        />
        <button type="submit">Save</button>
      </Form>
      <Form action={`${botUrl}/role`} class="panel padded" snapshot={{ role: bot.role }}>
        <Select id="bot-role" name="role" label="Role" value={bot.role} options={botRoleOptions} />
        <button type="submit" class="plain">
          Change role
        </button>
      </Form>
    </section>
  );
}

function BotKeysSection({
  bot,
  keys,
  isManager,
}: {
  bot: Props['answers']['bot'];
  keys: BotKey[];
  isManager: boolean;
}) {
  const { base } = useVisit();
  const keysUrl = `${base}/bots/${bot.id}/keys`;
  return (
    <section class="group" aria-labelledby="keys">
      <h2 id="keys">API keys</h2>
      {keys.length === 0 ? <p>No keys yet.</p> : null}
      <ul class="rows panel">
        {keys.map((key) => (
          <BotKeyRow item={key} keysUrl={keysUrl} />
        ))}
      </ul>
      {isManager ? (
        <Form action={keysUrl} class="add-row" label="New key">
          <Field id="key-name" name="name" label="Key name" maxlength={100} autocomplete="off" />
          <button type="submit">Create key</button>
        </Form>
      ) : null}
    </section>
  );
}

function BotKeyRow({ item, keysUrl }: { item: BotKey; keysUrl: string }) {
  const { base } = useVisit();
  const { id, name, prefix, createdAt, status } = item;
  return (
    <li>
      <a class="row-name" href={`${base}/apps/${id}`}>
        <bdi>{name}</bdi>
      </a>
      <span class="row-meta wide-only">
        <code>{prefix}</code>
      </span>
      <span class="row-date">
        <RelativeTime at={createdAt} />
      </span>
      {status === 'active' ? (
        <Confirmation
          label={`Revoke ${name}`}
          isInRow
          action={`${keysUrl}/${id}/revoke`}
          confirm="Revoke key"
        >
          <p>Anything that uses this key will lose access immediately. This can't be undone.</p>
        </Confirmation>
      ) : (
        <span class="row-meta">Revoked or expired</span>
      )}
    </li>
  );
}

function NewBotKeyNotice({ secret }: { secret: string }) {
  return (
    <section class="card new-secret" aria-labelledby="new-key">
      <h2 id="new-key">New key</h2>
      <p>
        <label for="key">Copy it now. You won't see it again.</label>
      </p>
      <textarea id="key" class="secret" rows={2} readonly spellcheck={false} autofocus>
        {secret}
      </textarea>
      <button type="button" data-copy="#key" hidden>
        Copy
      </button>
    </section>
  );
}
