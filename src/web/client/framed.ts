import { isTyping } from './single-keys.ts';

/** A page beside another one shows itself alone: what leads on leads out of the frame, and Escape closes it. */
export function fitIntoFrame() {
  if (parent === window) return;
  document.documentElement.classList.add('framed');
  const base = document.createElement('base');
  base.target = '_top';
  document.head.append(base);
  document.addEventListener('keydown', ({ key, target }) => {
    if (key === 'Escape' && !isTyping(target))
      parent.document.dispatchEvent(new CustomEvent('edgework:leave'));
  });
}
