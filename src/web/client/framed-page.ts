import { isTypingTarget } from './single-keys.ts';

/** In the task panel, links open in the whole window and Escape closes the panel. */
export function adaptToTaskPanel() {
  if (parent === window) return;
  document.documentElement.classList.add('framed');
  const base = document.createElement('base');
  base.target = '_top';
  document.head.append(base);
  document.addEventListener('keydown', ({ key, target }) => {
    if (key === 'Escape' && !isTypingTarget(target))
      parent.document.dispatchEvent(new CustomEvent('edgework:leave'));
  });
}
