const STORAGE_KEY = 'edgework:panel-width';
const [WIDTH_MIN, WIDTH_MAX] = [480, 720];
const STEP_PX = 16;

export function buildResizeHandle(): HTMLElement {
  const handle = document.createElement('div');
  handle.className = 'panel-edge';
  handle.role = 'separator';
  handle.tabIndex = 0;
  handle.ariaLabel = 'Panel width';
  handle.ariaOrientation = 'vertical';
  handle.ariaValueMin = String(WIDTH_MIN);
  handle.ariaValueMax = String(WIDTH_MAX);
  let width = readWidth();
  const setWidth = (to: number, { isKept = true } = {}) => {
    width = Math.round(Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, to)));
    handle.ariaValueNow = String(width);
    document.documentElement.style.setProperty('--panel-width', `${width}px`);
    if (isKept) storeWidth(width);
  };
  setWidth(width, { isKept: false });
  handle.addEventListener('keydown', (event) => {
    const widths = {
      ArrowLeft: width + STEP_PX,
      ArrowRight: width - STEP_PX,
      Home: WIDTH_MIN,
      End: WIDTH_MAX,
    };
    const next = widths[event.key as keyof typeof widths];
    if (next === undefined) return;
    event.preventDefault();
    setWidth(next);
  });
  handle.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener('pointermove', ({ pointerId, clientX }) => {
    if (handle.hasPointerCapture(pointerId)) setWidth(window.innerWidth - clientX, { isKept: false });
  });
  handle.addEventListener('lostpointercapture', () => storeWidth(width));
  return handle;
}

function readWidth(): number {
  try {
    return Number(localStorage.getItem(STORAGE_KEY)) || Math.round(window.innerWidth * 0.42);
  } catch {
    return WIDTH_MIN;
  }
}

function storeWidth(width: number) {
  try {
    localStorage.setItem(STORAGE_KEY, String(width));
  } catch {
    // Without storage, the panel opens at its default width.
  }
}
