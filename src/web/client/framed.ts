/** A page beside another one shows itself alone: what leads on leads out of the frame, and Escape closes it. */
export function fitIntoFrame() {
  if (parent === window) return;
  document.documentElement.classList.add('framed');
  const base = document.createElement('base');
  base.target = '_top';
  document.head.append(base);
  document.addEventListener('keydown', ({ key, target }) => {
    const isTyping =
      target instanceof Element && target.matches('input, textarea, select, [contenteditable]');
    if (key === 'Escape' && !isTyping) parent.document.dispatchEvent(new CustomEvent('edgework:leave'));
  });
}
