import { toLabelKey } from '../../tasks/model/label-keys.ts';
import { StatusDot } from './status-and-priority.tsx';

export interface LabelChoices {
  readonly names: readonly string[];
  readonly colors: readonly { readonly key: string; readonly color: string }[];
}

interface TagListProps {
  tags: readonly string[];
  labels: LabelChoices | null;
  max?: number;
}

export function TagList({ tags, labels, max = tags.length }: TagListProps) {
  const colors = new Map(labels?.colors.map(({ key, color }) => [key, color]));
  const rest = tags.slice(max);
  return (
    <>
      {tags.slice(0, max).map((tag) => {
        const color = colors.get(toLabelKey(tag));
        return (
          <span class="tag">
            {color === undefined ? null : <StatusDot color={color} />}
            {tag}
          </span>
        );
      })}
      {rest.length > 0 ? (
        <span class="tag" title={rest.join(', ')}>
          +{rest.length}
        </span>
      ) : null}
    </>
  );
}

export const TAG_NAMES_ID = 'tag-names';

export function TagNamesDatalist({ labels }: { labels: LabelChoices | null }) {
  return (
    <datalist id={TAG_NAMES_ID}>
      {labels?.names.map((name) => (
        <option value={name} />
      ))}
    </datalist>
  );
}
