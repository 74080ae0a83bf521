import { getReach } from '../../../kernel/access/capabilities.ts';
import { formatCount } from '../../../kernel/text/number-format.ts';
import { labelColors } from '../../../tasks/labels/labels.schema.ts';
import { useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Pager } from '../../components/pager.tsx';
import { SettingsNavigation } from '../../components/settings-navigation.tsx';
import { StatusDot } from '../../components/status-and-priority.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { labelsParams, labelsReads } from './labels.tsx';

type Props = ViewProps<typeof labelsParams, typeof labelsReads, Record<never, never>>;
type Label = Props['answers']['labels']['data'][number];

const colorOptions = [['', 'No color'], ...Object.entries(labelColors)] as const;

export function LabelsView({ visit: { caller }, answers: { labels } }: Props) {
  const mayChange = getReach(caller, 'manageCategories') === 'all';
  return (
    <div class="settings">
      <header class="head">
        <h1>Tags</h1>
      </header>
      <SettingsNavigation />
      {labels.data.length === 0 ? (
        <EmptyState icon="layout-list">
          <p>No tags yet. Add one to a task, and it appears here.</p>
        </EmptyState>
      ) : (
        <ul class="rows panel labels">
          {labels.data.map((label, index) => (
            <LabelRow label={label} id={`label-${labels.meta.offset + index}`} mayChange={mayChange} />
          ))}
        </ul>
      )}
      <Pager meta={labels.meta} />
    </div>
  );
}

function LabelRow({ label, id, mayChange }: { label: Label; id: string; mayChange: boolean }) {
  const { base } = useVisit();
  const { name, color, description, taskCount } = label;
  return (
    <li>
      <span class="row-name">
        {color === null ? null : <StatusDot color={color} />}{' '}
        <a href={`${base}/tasks?${new URLSearchParams({ tag: name })}`}>
          <bdi>{name}</bdi>
        </a>
      </span>
      <span class="row-meta number">{formatCount(taskCount, 'task')}</span>
      {mayChange ? (
        <Form
          action={`${base}/labels`}
          class="inline grow select-first"
          label={name}
          of={{ label: name }}
          snapshot={{ color, description }}
        >
          <Select
            id={`${id}-color`}
            name="color"
            label={`Color of ${name}`}
            isLabelHidden
            value={color ?? ''}
            options={colorOptions}
          />
          <Field
            id={`${id}-description`}
            name="description"
            label={`Description of ${name}`}
            isLabelHidden
            value={description ?? ''}
            placeholder="Description"
            maxlength={500}
            autocomplete="off"
            isOptional
          />
          <button type="submit" class="quiet">
            Save
          </button>
        </Form>
      ) : description === null ? null : (
        <span class="row-meta">{description}</span>
      )}
    </li>
  );
}
