import names from './asset-names.json' with { type: 'json' };

/** scripts/assets.ts builds these files and writes their hashed names. */
export const assets: Readonly<
  Record<
    | 'common'
    | 'pages'
    | 'app'
    | 'taskPanel'
    | 'addInPlace'
    | 'board'
    | 'calendar'
    | 'commentEditor'
    | 'editor'
    | 'nameFields'
    | 'imageViewer'
    | 'inbox'
    | 'deferred'
    | 'list'
    | 'meeting'
    | 'my-work'
    | 'palette'
    | 'paletteStyles'
    | 'picker'
    | 'pickerStyles'
    | 'push'
    | 'saves'
    | 'search'
    | 'sorting'
    | 'shortcuts'
    | 'task'
    | 'timeline'
    | 'tryRequest'
    | 'icons'
    | 'appIcon'
    | 'touchIcon'
    | 'manifest'
    | 'boardDark'
    | 'boardLight'
    | 'guides',
    string
  >
> = names;
