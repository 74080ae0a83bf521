import { DeleteForm } from '../../components/delete-form.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { SettingsNavigation } from '../../components/settings-navigation.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { settingsParams, settingsReads } from './workspace-settings.tsx';

const planLabels = { free: 'Free', medium: 'Medium', pro: 'Pro' } as const;

type Props = ViewProps<typeof settingsParams, typeof settingsReads, Record<never, never>>;

export function WorkspaceSettingsView({ visit: { base }, answers: { settings } }: Props) {
  const { name, timezone, dailyCapacityHours } = settings;
  return (
    <div class="settings">
      <header class="head">
        <h1>Settings</h1>
      </header>
      <SettingsNavigation />
      {settings.mayChange ? (
        <Form
          action={`${base}/settings`}
          class="panel padded"
          snapshot={{ name, timezone, dailyCapacityHours }}
        >
          <Field name="name" label="Workspace name" value={name} maxlength={200} autocomplete="off" />
          <Select
            name="timezone"
            label="Time zone"
            value={timezone}
            options={buildTimeZoneOptions(timezone)}
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
        <dl class="property-list panel">
          <SettingDetail label="Time zone" value={settings.timezone} />
          <SettingDetail label="Working hours per weekday" value={String(settings.dailyCapacityHours)} />
        </dl>
      )}
      <p class="hint">Plan: {planLabels[settings.plan]}</p>
      {settings.isOwner ? (
        <section class="danger-zone" aria-labelledby="danger-zone">
          <h2 id="danger-zone">Danger zone</h2>
          <DeleteForm
            noun="workspace"
            action={`${base}/settings/remove`}
            name={settings.name}
            class="confirmation"
          >
            This deletes every project, task, file and API key in the workspace, for everyone.
          </DeleteForm>
        </section>
      ) : null}
    </div>
  );
}

function buildTimeZoneOptions(currentZone: string) {
  const timeZones = Intl.supportedValuesOf('timeZone');
  const allZones = timeZones.includes(currentZone) ? timeZones : [currentZone, ...timeZones];
  return ['UTC', ...allZones.filter((zone) => zone !== 'UTC')].map(
    (zone) => [zone, zone.replaceAll('_', ' ')] as const,
  );
}

function SettingDetail({ label, value }: { label: string; value: string }) {
  return (
    <div class="property">
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
