import { assets } from '../../page-model/assets.ts';
// Built from docs/ by scripts/assets.ts.
import built from './guides.json' with { type: 'json' };

export interface Guide {
  readonly slug: string;
  readonly title: string;
  readonly about: string;
}

export const guides: readonly Guide[] = built;

interface GuideTexts {
  readonly texts: Readonly<Record<string, string>>;
  /** Source code of docs/examples, by file name. */
  readonly examples: Readonly<Record<string, string>>;
}

/** The origin of a local server, which the examples in the guides use. */
const EXAMPLE_ORIGIN = 'http://localhost:8787';

let cachedTexts: GuideTexts | undefined;

export async function readGuides({ ASSETS }: Pick<Env, 'ASSETS'>): Promise<GuideTexts> {
  if (cachedTexts) return cachedTexts;
  const answer = await ASSETS.fetch(new URL(assets.guides, 'https://assets.invalid'));
  if (!answer.ok) throw new Error(`Loading the static file ${assets.guides} returned ${answer.status}`);
  cachedTexts = await answer.json<GuideTexts>();
  return cachedTexts;
}

export function replaceExampleOrigin(text: string, origin: string): string {
  return text.replaceAll(EXAMPLE_ORIGIN, () => origin);
}
