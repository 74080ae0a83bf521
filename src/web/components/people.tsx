import { toInitials } from '../../workspaces/reference/initials.ts';

interface NamedPerson {
  readonly name: string;
}

export function Avatar({ person, isNamed = false }: { person: NamedPerson; isNamed?: boolean }) {
  return isNamed ? (
    <span class="avatar" aria-hidden="true">
      {toInitials(person.name)}
    </span>
  ) : (
    <span class="avatar" role="img" title={person.name}>
      {toInitials(person.name)}
    </span>
  );
}

/** Everyone assigned, with initials. */
export function Avatars({ people }: { people: readonly NamedPerson[] }) {
  return (
    <>
      {people.map((person) => (
        <Avatar person={person} />
      ))}
    </>
  );
}

export function PersonName({ person }: { person: NamedPerson }) {
  return (
    <span class="person-name">
      <Avatar person={person} isNamed />
      <bdi>{person.name}</bdi>
    </span>
  );
}
