export function indexPeople(people: readonly { no: number; user_id: string; name: string; email: string }[]) {
  const byEmail = new Map(people.map(({ no, email }) => [email.toLowerCase(), no]));
  const byName = new Map<string, number | null>();
  for (const { no, name } of people) {
    const key = toNameKey(name);
    // If several people have the same name, it matches no one.
    byName.set(key, byName.has(key) ? null : no);
  }
  const byUser = new Map(people.map(({ user_id, no }) => [user_id, no]));
  return {
    findPerson(text: string): number | null {
      // People choose their own names, so a name can be a dash or someone else's address.
      if (text.includes('@')) return byEmail.get(text.trim().toLowerCase()) ?? null;
      return HAS_LETTER.test(text) ? (byName.get(toNameKey(text)) ?? null) : null;
    },
    findUser: (userId: string) => byUser.get(userId) ?? null,
  };
}

const HAS_LETTER = /\p{L}/u;
const toNameKey = (name: string) => name.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
