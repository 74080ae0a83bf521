import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { TAGS_MAX } from '../fields.ts';
import { toLabelKey } from '../model/label-keys.ts';

interface TagEdit {
  addTags?: readonly string[] | undefined;
  removeTags?: readonly string[] | undefined;
}

/** Ignores case, so a tag that the task already has keeps its spelling. */
export function planTags(
  { id, tags: stored }: { id: number; tags: string },
  { addTags = [], removeTags = [] }: TagEdit,
): { tags?: string[] } {
  if (addTags.length === 0 && removeTags.length === 0) return {};
  const removed = new Set(removeTags.map(toLabelKey));
  const both = addTags.find((tag) => removed.has(toLabelKey(tag)));
  if (both !== undefined)
    throw invalidRequestError(
      ({ field }) => `${field('addTags')} and ${field('removeTags')} both have '${both}'`,
    );
  const before: string[] = JSON.parse(stored);
  const kept = before.filter((tag) => !removed.has(toLabelKey(tag)));
  const tags = [...kept];
  for (const tag of addTags) if (tags.every((each) => toLabelKey(each) !== toLabelKey(tag))) tags.push(tag);
  if (tags.length > TAGS_MAX) {
    throw invalidRequestError(
      `Task ${id} would have ${tags.length} tags, and a task can have up to ${TAGS_MAX}. Remove some first.`,
    );
  }
  return { tags };
}
