import names from './asset-names.json' with { type: 'json' };

/** The addresses of scripts, styles, pictures and the texts of guides, with a hash in each; scripts/assets.ts builds them and writes the names. */
export const assets: Readonly<
  Record<
    | 'common'
    | 'pages'
    | 'app'
    | 'taskPanel'
    | 'board'
    | 'calendar'
    | 'editor'
    | 'nameFields'
    | 'inbox'
    | 'deferred'
    | 'list'
    | 'meeting'
    | 'my-work'
    | 'saves'
    | 'search'
    | 'shortcuts'
    | 'task'
    | 'tryRequest'
    | 'icons'
    | 'boardDark'
    | 'boardLight'
    | 'guides',
    string
  >
> = names;
