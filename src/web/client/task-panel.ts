// A task beside its board: a module of its own that a board loads when the first card is opened.
let beside: HTMLElement | null = null;
/** The card that was opened, by its id: a refresh may bring another element for it. */
let opened = '';

document.addEventListener('keydown', ({ key }) => key === 'Escape' && leave());
// Said by the page in the frame.
document.addEventListener('edgework:leave', leave);

/** Opens the page of a task in a frame. */
export function openTaskPanel(link: HTMLAnchorElement) {
  close();
  opened = link.id;
  beside = document.createElement('aside');
  beside.id = 'beside';
  beside.innerHTML = '<p><a>Open as a page</a><button class="quiet" title="Close">×</button></p>';
  beside.querySelector('a')?.setAttribute('href', link.href);
  beside.querySelector('button')?.addEventListener('click', leave);
  const frame = document.createElement('iframe');
  frame.title = 'Task';
  // Shown as it is ready, so that nothing of it jumps.
  frame.onload = () => {
    // What comes instead of a task, as to sign in, is in no frame.
    if (!frame.contentDocument) location.assign(link.href);
    frame.style.opacity = '1';
    frame.focus();
  };
  frame.src = link.href;
  beside.append(frame);
  document.body.append(beside);
  // The board is narrower now.
  link.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

function close() {
  beside?.remove();
  beside = null;
}

function leave() {
  if (!beside) return;
  close();
  document.getElementById(opened)?.focus();
}
