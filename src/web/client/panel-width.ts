const STORAGE_KEY = 'edgework:panel-width';
const [WIDTH_MIN, WIDTH_MAX] = [480, 720];
const STEP_PX = 16;

export function buildPanelEdge(): HTMLElement {
  const edge = document.createElement('div');
  edge.className = 'panel-edge';
  edge.role = 'separator';
  edge.tabIndex = 0;
  edge.ariaLabel = 'Panel width';
  edge.ariaOrientation = 'vertical';
  edge.ariaValueMin = String(WIDTH_MIN);
  edge.ariaValueMax = String(WIDTH_MAX);
  let width = readWidth();
  const setWidth = (to: number, { isKept = true } = {}) => {
    width = Math.round(Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, to)));
    edge.ariaValueNow = String(width);
    document.documentElement.style.setProperty('--panel-width', `${width}px`);
    if (isKept) storeWidth(width);
  };
  setWidth(width, { isKept: false });
  edge.addEventListener('keydown', (event) => {
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
  edge.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    edge.setPointerCapture(event.pointerId);
  });
  edge.addEventListener('pointermove', ({ pointerId, clientX }) => {
    if (edge.hasPointerCapture(pointerId)) setWidth(window.innerWidth - clientX, { isKept: false });
  });
  edge.addEventListener('lostpointercapture', () => storeWidth(width));
  return edge;
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
