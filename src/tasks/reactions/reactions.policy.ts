import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { PEOPLE_PER_REACTION_MAX } from './reactions.schema.ts';

export function rejectTooManyPeople(comment: number, people: number) {
  if (people < PEOPLE_PER_REACTION_MAX) return;
  throw invalidRequestError(
    `Up to ${PEOPLE_PER_REACTION_MAX} people can add the same reaction; comment ${comment} has ${people}. Choose another reaction.`,
  );
}
