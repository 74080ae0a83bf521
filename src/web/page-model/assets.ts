import names from './asset-names.json' with { type: 'json' };

/** The addresses of scripts and styles, with a hash in each; scripts/assets.ts builds them and writes the names. */
export const assets: Readonly<
  Record<
    'common' | 'pages' | 'app' | 'board' | 'calendar' | 'editor' | 'list' | 'task' | 'try' | 'icons',
    string
  >
> = names;
