// The Chromium in the npm package @sparticuz/chromium: a headless shell for x64 Linux, with a font and the libraries
// that it needs. Nothing is downloaded, and the machine's fonts aren't used.
import { spawnSync } from 'node:child_process';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync, createBrotliDecompress } from 'node:zlib';
import { root } from '../../scripts/databases.ts';

export interface InstalledChromium {
  readonly executablePath: string;
  readonly env?: NodeJS.ProcessEnv;
}

const fontsConfig = '<fontconfig><dir prefix="relative">fonts</dir></fontconfig>\n';

/** Unpacks Chromium on first use. Returns null on systems that can't run it, such as those without glibc. */
export async function unpackPinnedChromium(): Promise<InstalledChromium | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const folder = await unpack();
  const installed = {
    executablePath: join(folder, 'chromium'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  };
  const { status } = spawnSync(installed.executablePath, ['--version'], { env: installed.env });
  return status === 0 ? installed : null;
}

async function unpack(): Promise<string> {
  const packed = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..');
  const { version } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
  const tools = join(root, '.wrangler', 'tools');
  const folder = join(tools, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(tools, { recursive: true });
  // Unpacks into a temporary folder, so that an interrupted run leaves no incomplete installation.
  const half = mkdtempSync(join(tools, 'unpacking-'));
  await pipeline(
    createReadStream(join(packed, 'bin', 'chromium.br')),
    createBrotliDecompress(),
    createWriteStream(join(half, 'chromium'), { mode: 0o755 }),
  );
  for (const name of ['al2023', 'fonts']) {
    const input = brotliDecompressSync(readFileSync(join(packed, 'bin', `${name}.tar.br`)));
    const { status, stderr } = spawnSync('tar', ['-xo', '-C', half], { input, encoding: 'utf8' });
    if (status !== 0) throw new Error(`tar could not unpack ${name}.tar.br: ${stderr}`);
  }
  writeFileSync(join(half, 'fonts.conf'), fontsConfig);
  try {
    renameSync(half, folder);
  } catch {
    // Another run finished unpacking first.
    rmSync(half, { recursive: true });
  }
  return folder;
}
