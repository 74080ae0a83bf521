interface PeopleFoundProps {
  people: readonly { readonly id: string; readonly name: string; readonly email: string }[];
  /** What stands behind each where people read the list themselves. */
  note?: (id: string) => string;
}

/** Whom a text may mean: fields that complete people read this list out of its page. */
export function PeopleFound({ people, note }: PeopleFoundProps) {
  return (
    <ul id="people-found" class="rows panel">
      {people.map(({ id, name, email }) => (
        <li data-person={id} data-name={name} data-email={email} data-value={`${name} <${email}>`}>
          <bdi class="row-name">{name}</bdi>
          <span class="row-fact wide-only">{email}</span>
          {note ? <code>{note(id)}</code> : null}
        </li>
      ))}
    </ul>
  );
}
