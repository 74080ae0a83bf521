let beside: HTMLElement | null = null;
/** An id, because a refresh may replace the element. */
let opened = '';

document.addEventListener('keydown', ({ key }) => key === 'Escape' && leave());
// The page in the frame sends this event.
document.addEventListener('edgework:leave', leave);

export function openTaskPanel(link: HTMLAnchorElement) {
  close();
  opened = link.id;
  beside = document.createElement('aside');
  beside.id = 'beside';
  beside.innerHTML = '<p><a>Open full page</a><button class="quiet" title="Close">×</button></p>';
  beside.querySelector('a')?.setAttribute('href', link.href);
  beside.querySelector('button')?.addEventListener('click', leave);
  const frame = document.createElement('iframe');
  frame.title = 'Task';
  // Displayed once loaded, to avoid layout shifts.
  frame.onload = () => {
    // The sign-in page can't be framed.
    if (!frame.contentDocument) location.assign(link.href);
    frame.style.opacity = '1';
    frame.focus();
  };
  frame.src = link.href;
  beside.append(frame);
  document.body.append(beside);
  // Keeps the card visible on the narrower board.
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
