// scripts/assets.ts makes it of the documents in docs/.
import built from './guides.json' with { type: 'json' };

export interface Guide {
  readonly slug: string;
  readonly title: string;
  /** What it is about, in a sentence. */
  readonly about: string;
  readonly html: string;
}

export const guides: readonly Guide[] = built;
