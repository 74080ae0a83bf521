import { useVisit } from './context.ts';
import { Avatar } from './people.tsx';

interface NameSuggestion {
  readonly id: string | number;
  readonly name: string;
  /** An email address or number that distinguishes people or items with the same name. */
  readonly note: string;
  readonly value: string;
}

interface NameSuggestionsProps {
  items: readonly NameSuggestion[];
  code?: (id: string | number) => string;
  withAvatars?: boolean | undefined;
}

export function NameSuggestions({ items, code, withAvatars }: NameSuggestionsProps) {
  return (
    <ul id="found" class="rows panel">
      {items.map(({ id, name, note, value }) => (
        <li data-found={id} data-name={name} data-note={note} data-value={value}>
          {withAvatars ? <Avatar person={{ id: String(id), name }} hasVisibleName /> : null}
          <bdi class="row-name">{name}</bdi>
          <span class="row-meta">{note}</span>
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

/** Includes the number, because project names are not unique. */
export function toNumberedSuggestion({ id, name }: { id: number; name: string }): NameSuggestion {
  return { id, name, note: `#${id}`, value: `${name} #${id}` };
}

interface SuggestionsPageProps {
  title: string;
  path: string;
  label: string;
  q: string;
  items: readonly NameSuggestion[];
  withAvatars?: boolean;
}

/** Scripts read suggestions for name fields from this page. The page also works without JavaScript. */
export function SuggestionsPage({ title, path, label, q, items, withAvatars }: SuggestionsPageProps) {
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
      <NameSuggestions items={items} withAvatars={withAvatars} />
    </>
  );
}
