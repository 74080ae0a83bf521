import { isFirstCall } from './first-call.ts';

interface ImageViewerModule {
  readonly openImageViewer: (link: HTMLAnchorElement) => void;
}

/** Opens images in a dialog, which loads on first use. If it can't load, the link opens the image. */
export function enableImageViewer() {
  if (!isFirstCall('imageViewer')) return;
  document.addEventListener('click', (event) => {
    const { target, ctrlKey, metaKey, shiftKey, altKey } = event;
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-image]') : null;
    if (!link || event.defaultPrevented || ctrlKey || metaKey || shiftKey || altKey) return;
    event.preventDefault();
    void openImage(link);
  });
}

async function openImage(link: HTMLAnchorElement) {
  try {
    const module: ImageViewerModule = await import(link.dataset.image ?? '');
    module.openImageViewer(link);
  } catch {
    location.assign(link.href);
  }
}
