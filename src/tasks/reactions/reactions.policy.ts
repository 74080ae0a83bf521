import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { PEOPLE_PER_REACTION_MAX } from './reactions.schema.ts';

export function rejectTooManyPeople(comment: number, people: number) {
  if (people < PEOPLE_PER_REACTION_MAX) return;
  throw invalidRequestError(
    `Comment ${comment} already has this reaction from ${people} people, which is the limit. Choose another reaction.`,
  );
}
