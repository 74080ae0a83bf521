import { formOperations, routes } from '../../../src/registry.ts';
import { runForAccount, signIn } from '../../support/accounts.ts';
import { api } from '../../support/api.ts';
import { runForm } from '../../support/forms.ts';
import type { Person, World } from '../../support/world.ts';

/** Every operation that writes; tools run the same ones. */
export const writes = new Map(
  [...routes.map(({ operation }) => operation), ...formOperations]
    .filter(({ effect }) => effect === 'write')
    .map((operation) => [operation.name, operation]),
);

export type Input = Record<string, unknown>;
type Actor = Pick<Person, 'token' | 'userId'>;
type Send = (
  name: string,
  input: Input,
  database?: D1Database,
  shown?: Readonly<Record<string, string>>,
) => Promise<{ status: number; body: unknown }>;

/** A request that loses a race runs again. */
const ATTEMPTS = 3;

/** Sends what one person asks for, with one of the databases in place of the usual one. */
export const as =
  ({ token, userId }: Actor): Send =>
  async (name, input, database, shown) => {
    const operation = writes.get(name);
    if (!operation) throw new Error(`no operation ${name} writes`);
    if (operation.access === 'account') {
      return runForAccount(
        await signIn(userId),
        operation,
        input,
        database && { DIRECTORY: database },
        shown,
      );
    }
    const answer = await runForm(token, operation, input, database && { CELL_0: database }, ATTEMPTS, shown);
    return { status: answer.status, body: answer.body };
  };

export const owner = ({ people }: World) => as(people.owner);
export const admin = ({ people }: World) => as(people.admin);
export const ownersApi = ({ people }: World) => api(people.owner.token);

/** What two people change: its ids by their names. */
export type Thing = Readonly<Record<string, number | string>>;

export interface Race {
  /** Made anew for every run, and alike each time. */
  readonly make: (world: World) => Promise<Thing>;
  /** Who sends mine; by default the owner. */
  readonly by?: (thing: Thing, world: World) => Actor;
  readonly mine: (thing: Thing, world: World) => Input;
  /** The concurrent edit by another person. */
  readonly theirs: (thing: Thing, world: World) => Promise<{ status: number }>;
  /** What can be seen of the thing. */
  readonly state: (thing: Thing, world: World) => Promise<unknown>;
  /** What the page showed of the fields that both change: then mine is refused. */
  readonly shown?: Input;
}

/** The same race for a program, and for a page that showed the field as it was. */
export const withPage = (race: Race, shown: Input): readonly Race[] => [race, { ...race, shown }];
