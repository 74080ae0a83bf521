import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { iconNames } from '../../src/web/components/icon-names.ts';
import { root } from '../databases.ts';

const web = join(root, 'src', 'web');
const icons = join(dirname(createRequire(import.meta.url).resolve('lucide-static/package.json')), 'icons');
/** The oldest versions that support nesting, `light-dark()` and popovers. */
const browsers = ['chrome123', 'edge123', 'firefox125', 'safari17.5'];

/**
 * Browsers can cache files in `assets/` for a year, because a file's name changes with its contents. They revalidate
 * the API client, which any website can import.
 */
const headers = `/assets/*
  Cache-Control: public, max-age=31536000, immutable
  X-Content-Type-Options: nosniff
/client.*
  Access-Control-Allow-Origin: *
  X-Content-Type-Options: nosniff
/client.d.ts
  Content-Type: text/plain; charset=utf-8
/ew.mjs
  X-Content-Type-Options: nosniff
/service-worker.js
  Cache-Control: no-cache
  Content-Security-Policy: default-src 'none'; connect-src 'self'
  X-Content-Type-Options: nosniff
`;

/** Writes all files with hashed names, and the list of names for the Worker. */
export function buildWebApp({ guides }: { guides: Uint8Array }): void {
  const folder = join(root, '.wrangler', 'assets');
  const target = join(folder, 'assets');
  mkdirSync(target, { recursive: true });
  const files = {
    common: ['css', bundle('styles/common.css')],
    pages: ['css', bundle('styles/pages.css')],
    app: ['js', bundle('client/app.ts')],
    taskPanel: ['js', bundle('client/task-panel.ts')],
    addInPlace: ['js', bundle('client/add-in-place.ts')],
    board: ['js', bundle('client/board.ts')],
    calendar: ['js', bundle('client/calendar.ts')],
    commentEditor: ['js', bundle('client/editor/comment-editor.ts')],
    editor: ['js', bundle('client/editor/editor.ts')],
    nameFields: ['js', bundle('client/name-fields.ts')],
    imageViewer: ['js', bundle('client/image-viewer.ts')],
    inbox: ['js', bundle('client/inbox.ts')],
    deferred: ['js', bundle('client/deferred.ts')],
    list: ['js', bundle('client/list.ts')],
    meeting: ['js', bundle('client/meeting.ts')],
    'my-work': ['js', bundle('client/my-work.ts')],
    palette: ['js', bundle('client/palette/palette.ts')],
    paletteStyles: ['css', bundle('styles/palette.css')],
    picker: ['js', bundle('client/picker/picker.ts')],
    pickerStyles: ['css', bundle('styles/picker.css')],
    push: ['js', bundle('client/push.ts')],
    saves: ['js', bundle('client/auto-save-page.ts')],
    search: ['js', bundle('client/search.ts')],
    sorting: ['js', bundle('client/sorting.ts')],
    shortcuts: ['js', bundle('client/shortcuts.ts')],
    task: ['js', bundle('client/task.ts')],
    timeline: ['js', bundle('client/timeline.ts')],
    tryRequest: ['js', bundle('client/try-request.ts')],
    icons: ['svg', Buffer.from(buildSprite())],
    appIcon: ['svg', readIcon('icon.svg')],
    touchIcon: ['png', readIcon('icon-180.png')],
    largeIcon: ['png', readIcon('icon-512.png')],
    boardDark: ['webp', readPicture('board-dark')],
    boardLight: ['webp', readPicture('board-light')],
    guides: ['json', guides],
  } as const;
  const names: Record<string, string> = {};
  const writeAsset = (name: string, extension: string, bytes: Uint8Array) => {
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 10);
    const path = `/assets/${name}-${hash}.${extension}`;
    names[name] = path;
    writeIfChanged(join(folder, path), bytes);
  };
  for (const [name, [extension, bytes]] of Object.entries(files)) writeAsset(name, extension, bytes);
  writeAsset('manifest', 'webmanifest', Buffer.from(buildManifest(names)));
  const kept = new Set(Object.values(names).map((path) => path.split('/').at(-1)));
  for (const old of readdirSync(target)) if (!kept.has(old)) rmSync(join(target, old));
  // Browsers update a service worker only if its URL stays the same, so its name has no hash.
  writeIfChanged(join(folder, 'service-worker.js'), bundle('client/service-worker/service-worker.ts'));
  writeIfChanged(join(folder, '_headers'), headers);
  writeIfChanged(join(web, 'page-model', 'asset-names.json'), `${JSON.stringify(names, null, 2)}\n`);
}

function bundle(entry: string): Uint8Array {
  const { outputFiles } = buildSync({
    entryPoints: [join(web, entry)],
    bundle: true,
    minify: true,
    format: 'esm',
    target: browsers,
    alias: { 'entities/decode': join(root, 'scripts', 'assets', 'no-entities.ts') },
    legalComments: 'none',
    drop: ['console'],
    write: false,
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`esbuild wrote nothing for ${entry}`);
  return file.contents;
}

function readIcon(name: string): Uint8Array {
  return readFileSync(join(web, 'icons', name));
}

/** Lets people install the app. On an iPhone or iPad, only an installed app can get push notifications. */
function buildManifest({ appIcon, largeIcon }: Record<string, string>): string {
  return JSON.stringify({
    id: '/app',
    name: 'Edgework',
    start_url: '/app',
    scope: '/',
    display: 'standalone',
    background_color: '#125c5c',
    icons: [
      { src: appIcon, sizes: 'any', type: 'image/svg+xml' },
      { src: largeIcon, sizes: '512x512', type: 'image/png', purpose: 'any' },
      { src: largeIcon, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  });
}

function readPicture(name: string): Uint8Array {
  return readFileSync(join(root, 'docs', 'images', `${name}.webp`));
}

function buildSprite(): string {
  const symbols = iconNames.map((name) => {
    const picture = readFileSync(join(icons, `${name}.svg`), 'utf8');
    const [, shapes = ''] = /<svg[^>]*>([\s\S]*)<\/svg>/.exec(picture) ?? [];
    const drawn = shapes.replace(/\s+/g, ' ').replaceAll(' />', '/>').replaceAll('> <', '><').trim();
    return `<symbol id="${name}" viewBox="0 0 24 24">${drawn}</symbol>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>\n`;
}

/** Doesn't rewrite an unchanged file, because a write would make watchers build again. */
export function writeIfChanged(path: string, text: string | Uint8Array): void {
  const bytes = Buffer.from(text);
  if (!existsSync(path) || !readFileSync(path).equals(bytes)) writeFileSync(path, bytes);
}
