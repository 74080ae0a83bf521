// A dialog that shows the images of a task or project at full size. Loaded when someone first opens an image.

/** The images that can be shown, in the order of the page. An image can be linked twice: in a text, and in the list of files. */
function listImages(link: HTMLAnchorElement): HTMLAnchorElement[] {
  const around = link.closest('.task, main') ?? document.body;
  const links = [...around.querySelectorAll<HTMLAnchorElement>('a[data-image]')];
  const byAddress = new Map(links.map((each) => [each.href, each]));
  return [...byAddress.values()];
}

function getImageName(link: HTMLAnchorElement): string {
  return link.querySelector('bdi')?.textContent || link.querySelector('img')?.alt || 'Image';
}

export function openImageViewer(link: HTMLAnchorElement) {
  const images = listImages(link);
  let index = images.findIndex(({ href }) => href === link.href);
  const dialog = document.createElement('dialog');
  Object.assign(dialog, { className: 'image-viewer', ariaLabel: 'Image' });
  const name = document.createElement('bdi');
  name.className = 'row-name';
  const place = document.createElement('span');
  place.className = 'hint number';
  const original = document.createElement('a');
  Object.assign(original, { className: 'button quiet', target: '_blank', textContent: 'Open in new tab' });
  const image = document.createElement('img');
  const problem = document.createElement('p');
  Object.assign(problem, { role: 'alert', hidden: true, textContent: "Couldn't load the image." });
  const previous = buildButton('Previous image', 'chevron-left', () => show(index - 1));
  const next = buildButton('Next image', 'chevron-right', () => show(index + 1));
  const close = buildButton('Close', 'x', () => dialog.close());
  const head = document.createElement('header');
  head.setAttribute('aria-live', 'polite');
  head.append(name, place, previous, next, original, close);
  dialog.append(head, image, problem);

  function show(to: number) {
    index = (to + images.length) % images.length;
    const shown = images[index] ?? link;
    name.textContent = getImageName(shown);
    place.textContent = images.length > 1 ? `${index + 1} of ${images.length}` : '';
    problem.hidden = true;
    image.hidden = false;
    // Otherwise, the previous image would stay until the next one has loaded.
    image.removeAttribute('src');
    image.alt = name.textContent;
    image.src = shown.href;
    original.href = shown.href;
  }

  image.addEventListener('error', () => {
    image.hidden = true;
    problem.hidden = false;
  });
  for (const button of [previous, next]) button.hidden = images.length < 2;
  dialog.addEventListener('keydown', (event) => {
    // The page has shortcuts for the same keys.
    event.stopPropagation();
    if (event.key === 'ArrowLeft') show(index - 1);
    else if (event.key === 'ArrowRight') show(index + 1);
    else return;
    event.preventDefault();
  });
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => dialog.remove());
  show(index);
  document.body.append(dialog);
  dialog.showModal();
}

function buildButton(label: string, icon: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'quiet', title: label, ariaLabel: label });
  const sprite = document.querySelector('.icon use')?.getAttribute('href')?.split('#')[0] ?? '';
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.classList.add('icon');
  for (const side of ['width', 'height']) svg.setAttribute(side, '16');
  svg.ariaHidden = 'true';
  const use = document.createElementNS(svg.namespaceURI, 'use');
  use.setAttribute('href', `${sprite}#${icon}`);
  svg.append(use);
  button.append(svg);
  button.addEventListener('click', onClick);
  return button;
}
