import { useVisit } from './context.ts';

interface NameSuggestion {
  readonly id: string | number;
  readonly name: string;
  /** Tells things of one name apart: an address, a number. */
  readonly note: string;
  /** What a field takes that finds by name. */
  readonly value: string;
}

interface NameSuggestionsProps {
  items: readonly NameSuggestion[];
  /** What stands behind each where people read the list themselves. */
  code?: (id: string | number) => string;
}

/** What a text may mean: fields that complete names read this list out of its page. */
export function NameSuggestions({ items, code }: NameSuggestionsProps) {
  return (
    <ul id="found" class="rows panel">
      {items.map(({ id, name, note, value }) => (
        <li data-found={id} data-name={name} data-note={note} data-value={value}>
          <bdi class="row-name">{name}</bdi>
          <span class="row-fact">{note}</span>
          {code ? <code>{code(id)}</code> : null}
        </li>
      ))}
    </ul>
  );
}

export function toPersonSuggestion({
  id,
  name,
  email,
}: {
  id: string;
  name: string;
  email: string;
}): NameSuggestion {
  return { id, name, note: email, value: `${name} <${email}>` };
}

/** Names may be alike, so each comes with its number. */
export function toProjectSuggestion({ id, name }: { id: number; name: string }): NameSuggestion {
  return { id, name, note: `#${id}`, value: `${name} #${id}` };
}

interface FindPageProps {
  title: string;
  /** Behind the address of the workspace. */
  path: string;
  /** What can be typed. */
  label: string;
  q: string;
  items: readonly NameSuggestion[];
}

/** A page that a field completes from; without a script people look there. */
export function FindPage({ title, path, label, q, items }: FindPageProps) {
  const { base } = useVisit();
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
      </header>
      <form method="get" action={base + path} class="filters">
        <input type="search" name="q" value={q} maxlength={200} aria-label={label} placeholder={label} />
        <button type="submit" class="plain">
          Find
        </button>
      </form>
      <NameSuggestions items={items} />
    </>
  );
}
