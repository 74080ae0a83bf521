import { toInitials } from '../../workspaces/reference/initials.ts';
import { getHueClass } from './hue-class.ts';

interface NamedPerson {
  /** Determines the avatar's color. Defaults to the name. */
  readonly id?: string;
  readonly name: string;
  readonly image?: string | null;
}

/** Matches pictures that this server stores. The content security policy forbids pictures from other sites. */
const PICTURE_PATH_PATTERN = /\/pictures\/[\w-]{27}$/;

function toAvatarLetters(name: string): string {
  const initials = toInitials(name);
  return initials.length > 1 ? initials : (/^[A-Za-z]{2}/.exec(name.trim())?.[0] ?? initials);
}

export function Avatar({
  person,
  hasVisibleName = false,
}: {
  person: NamedPerson;
  hasVisibleName?: boolean;
}) {
  const { name, image } = person;
  const picture = PICTURE_PATH_PATTERN.exec(image ?? '')?.[0];
  if (picture) {
    return (
      <img
        class="avatar"
        src={picture}
        width="20"
        height="20"
        alt={hasVisibleName ? '' : name}
        title={hasVisibleName ? undefined : name}
      />
    );
  }
  const className = `avatar ${getHueClass(person.id ?? name)}`;
  return hasVisibleName ? (
    <span class={className} aria-hidden="true">
      {toAvatarLetters(name)}
    </span>
  ) : (
    <span class={className} role="img" title={name}>
      {toAvatarLetters(name)}
    </span>
  );
}

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
      <Avatar person={person} hasVisibleName />
      <bdi>{person.name}</bdi>
    </span>
  );
}
