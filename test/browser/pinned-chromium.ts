// The Chromium inside the registry package @sparticuz/chromium: a headless shell for x64 Linux, with the few libraries that it
// needs beside those of Node, and a font. Nothing is downloaded, and no font or library of the machine plays a part.
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

/** Unpacks it at first use. Null where it cannot run: on other systems, and beside another C library than glibc. */
export async function pinnedChromium(): Promise<InstalledChromium | null> {
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
  // A run that breaks off leaves no half of it under its name.
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
    // Another run was first.
    rmSync(half, { recursive: true });
  }
  return folder;
}
