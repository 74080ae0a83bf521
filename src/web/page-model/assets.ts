import names from './asset-names.json' with { type: 'json' };

/**
 * URLs of scripts, styles, images and guide texts, each with a hash. scripts/assets.ts builds the files and writes
 * their names.
 */
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
