import { routes } from '../../../src/registry.ts';
import { runForAccount, signIn } from '../../support/accounts.ts';
import { api } from '../../support/api.ts';
import { runForm } from '../../support/forms.ts';
import { unroutedOperations } from '../../support/operations.ts';
import type { Person, World } from '../../support/world.ts';

/** All operations that write: those with a REST route, those of forms, and those that only agents' tools run. */
export const writeOperations = new Map(
  [...routes.map(({ operation }) => operation), ...unroutedOperations]
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

/** A request that loses races runs up to three times. */
const ATTEMPTS = 3;

/** Sends requests as one person. `database` replaces the directory for account operations, and otherwise cell 0. */
export const sendAs =
  ({ token, userId }: Actor): Send =>
  async (name, input, database, shown) => {
    const operation = writeOperations.get(name);
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

export const sendAsOwner = ({ people }: World) => sendAs(people.owner);
export const sendAsAdmin = ({ people }: World) => sendAs(people.admin);
export const getOwnersApi = ({ people }: World) => api(people.owner.token);

/** The ids of the objects that both people change, by name. */
export type RaceObjects = Readonly<Record<string, number | string>>;

export interface Race {
  /** Creates the same objects for every run. */
  readonly createObjects: (world: World) => Promise<RaceObjects>;
  /** The person who sends the input. By default, the owner. */
  readonly sender?: (objects: RaceObjects, world: World) => Actor;
  readonly toInput: (objects: RaceObjects, world: World) => Input;
  readonly applyOtherEdit: (objects: RaceObjects, world: World) => Promise<{ status: number }>;
  /** Reads the visible state of the objects afterward. */
  readonly readState: (objects: RaceObjects, world: World) => Promise<unknown>;
  /** The values that the page showed for the contested fields. If set, the input must be rejected. */
  readonly shown?: Input;
}

/** Returns the race twice: for a program, and for a page that showed the old values in `shown`. */
export const toProgramAndPageRaces = (race: Race, shown: Input): readonly Race[] => [
  race,
  { ...race, shown },
];
