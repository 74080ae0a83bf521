import { initials } from '../../workspaces/reference/initials.ts';

interface NamedPerson {
  readonly name: string;
}

export function Avatar({ person, isNamed = false }: { person: NamedPerson; isNamed?: boolean }) {
  return isNamed ? (
    <span class="avatar" aria-hidden="true">
      {initials(person.name)}
    </span>
  ) : (
    <span class="avatar" role="img" title={person.name}>
      {initials(person.name)}
    </span>
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
