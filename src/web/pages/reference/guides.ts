import { assets } from '../../page-model/assets.ts';
// scripts/assets.ts makes it of the documents in docs/.
import built from './guides.json' with { type: 'json' };

export interface Guide {
  readonly slug: string;
  readonly title: string;
  /** What it is about, in a sentence. */
  readonly about: string;
}

export const guides: readonly Guide[] = built;

type Texts = Readonly<Record<string, string>>;

let kept: Texts | undefined;

/** The texts of the guides as HTML, by their slugs: a static file, which each isolate reads once. */
export async function readGuides({ ASSETS }: Pick<Env, 'ASSETS'>): Promise<Texts> {
  if (kept) return kept;
  // Static files have no host.
  const answer = await ASSETS.fetch(new URL(assets.guides, 'https://assets.invalid'));
  if (!answer.ok) throw new Error(`The static file ${assets.guides} answered ${answer.status}`);
  kept = await answer.json<Texts>();
  return kept;
}
