import { bufferKeys } from './buffer-keys.ts';
import { hasQueuedTasks } from './queued-tasks.ts';
import { showToast } from './toast.ts';

interface PaletteModule {
  readonly loadStyles: () => Promise<unknown>;
  readonly openDialog: (name: string | undefined, typed: string, isEntered: boolean) => void;
  readonly sendTasks: () => void;
}

let isLoading = false;
let failureCount = 0;
let unusedTypedText = '';

/** Links with `data-opens` open the command palette or quick create, which load on first use. */
export function enablePalette() {
  document.addEventListener('click', (event) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-opens]') : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (!isLoading) void loadDialog(link);
  });
  if (hasQueuedTasks()) void sendQueuedTasks();
}

/** Sends tasks that were submitted on an earlier page. If the module fails to load, the next page sends them. */
async function sendQueuedTasks() {
  const module: PaletteModule | null = await loadModule().catch(() => null);
  module?.sendTasks();
}

function loadModule(): Promise<PaletteModule> {
  const { palette } = document.getElementById('menu')?.dataset ?? {};
  // Some browsers cache a failed import, so each retry uses another URL.
  return import(failureCount ? `${palette}?${failureCount}` : (palette ?? ''));
}

async function loadDialog(link: HTMLAnchorElement) {
  isLoading = true;
  const { opens } = link.dataset;
  const keys = bufferKeys();
  try {
    const module = await loadModule();
    await module.loadStyles();
    const typed = unusedTypedText + keys.take();
    unusedTypedText = '';
    if (!keys.isCanceled()) module.openDialog(opens, typed, keys.isEntered());
  } catch {
    failureCount += 1;
    unusedTypedText += keys.take();
    // A new deployment may have removed the module that this page loads.
    const linkTo = { address: link.href, label: 'Open the page instead' };
    showToast("Couldn't open the dialog. Try again.", { linkTo });
  }
  isLoading = false;
}
