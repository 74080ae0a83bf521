import { DeleteForm } from '../../components/delete-form.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { SettingsTabs } from '../../components/settings-tabs.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { settingsParams, settingsReads } from './workspace-settings.tsx';

type Props = ViewProps<typeof settingsParams, typeof settingsReads, Record<never, never>>;

export function WorkspaceSettingsView({ visit: { base }, answers: { settings } }: Props) {
  const { name, timezone, dailyCapacityHours } = settings;
  return (
    <div class="column-page">
      <header class="head">
        <h1>Settings</h1>
        <SettingsTabs />
      </header>
      {settings.mayChange ? (
        <Form action={`${base}/settings`} class="panel padded" shown={{ name, timezone, dailyCapacityHours }}>
          <Field name="name" label="Workspace name" value={name} maxlength={200} autocomplete="off" />
          <Select
            name="timezone"
            label="Time zone"
            value={timezone}
            options={listTimeZones(timezone)}
            hint="Used for deadlines, meetings and workload."
          />
          <Field
            name="dailyCapacityHours"
            label="Working hours per weekday"
            type="number"
            min={0.5}
            max={24}
            step={0.25}
            value={String(settings.dailyCapacityHours)}
          />
          <button type="submit">Save</button>
        </Form>
      ) : (
        <dl class="props panel">
          <Fact label="Time zone" value={settings.timezone} />
          <Fact label="Working hours per weekday" value={String(settings.dailyCapacityHours)} />
        </dl>
      )}
      <p class="hint">Plan: {settings.plan}</p>
      {settings.isOwner ? (
        <DeleteForm what="workspace" action={`${base}/settings/remove`} name={settings.name} class="edit">
          This deletes every project, task, file and API key in the workspace, for everyone.
        </DeleteForm>
      ) : null}
    </div>
  );
}

function listTimeZones(present: string) {
  const known = Intl.supportedValuesOf('timeZone');
  const all = known.includes(present) ? known : [present, ...known];
  return ['UTC', ...all.filter((zone) => zone !== 'UTC')].map(
    (zone) => [zone, zone.replaceAll('_', ' ')] as const,
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div class="prop">
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
