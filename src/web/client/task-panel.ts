let panel: HTMLElement | null = null;
/** Stored as an id, because a refresh may replace the element. */
let openedCardId = '';

document.addEventListener('keydown', ({ key }) => key === 'Escape' && leavePanel());
// The task page in the frame sends this event.
document.addEventListener('edgework:leave', leavePanel);

export function openTaskPanel(link: HTMLAnchorElement) {
  closePanel();
  openedCardId = link.id;
  panel = document.createElement('aside');
  panel.id = 'task-panel';
  panel.innerHTML = '<p><a>Open full page</a><button class="quiet" title="Close">×</button></p>';
  panel.querySelector('a')?.setAttribute('href', link.href);
  panel.querySelector('button')?.addEventListener('click', leavePanel);
  const frame = document.createElement('iframe');
  frame.title = 'Task';
  // Shows the frame once it has loaded, to avoid layout shifts.
  frame.onload = () => {
    // The sign-in page can't be displayed in a frame.
    if (!frame.contentDocument) location.assign(link.href);
    frame.style.opacity = '1';
    frame.focus();
  };
  frame.src = link.href;
  panel.append(frame);
  document.body.append(panel);
  // Keeps the card visible on the narrower board.
  link.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

function closePanel() {
  panel?.remove();
  panel = null;
}

function leavePanel() {
  if (!panel) return;
  closePanel();
  document.getElementById(openedCardId)?.focus();
}
