import { announceReached } from './retry.ts';
import { showToast } from './toast.ts';

interface Asked {
  readonly answer: Response;
  readonly html: string;
}

/**
 * Asks for a page of the workspace, or sends a form to get one. Null where something else came, or nothing: the person is
 * told, and what they typed stays where it is.
 */
export async function requestPage(address: string, init: RequestInit = {}): Promise<Asked | null> {
  const answer = await fetch(address, { ...init, headers: { Accept: 'text/html' } }).catch(() => null);
  const html = (await answer?.text().catch(() => null)) ?? null;
  if (answer === null || html === null) {
    document.dispatchEvent(new CustomEvent('edgework:lost'));
    showToast('That did not reach the server. Nothing is lost: try again.', { isProblem: true });
    return null;
  }
  if (!isSignIn(answer)) {
    if (leadsElsewhere(answer) || html.includes('<body class="screen"')) {
      announceReached();
      return { answer, html };
    }
    const page = new DOMParser().parseFromString(html, 'text/html');
    const problem = page.querySelector('main [role="alert"]')?.textContent;
    showToast(problem ?? 'The server could not answer. Nothing is lost: try again in a moment.', {
      isProblem: true,
    });
  }
  // Who is signed out hears of it when the page cannot be renewed.
  document.dispatchEvent(new CustomEvent('edgework:stale'));
  return null;
}

let isGone = false;
window.addEventListener('pageshow', () => {
  isGone = false;
});

/** Opens another page: this one is not asked for any more, since what it showed may be deleted. */
export function leaveFor(address: string) {
  isGone = true;
  location.assign(address);
}

export const isLeaving = () => isGone;

export function isSignIn({ redirected, url }: Response): boolean {
  return redirected && new URL(url).pathname === '/sign-in';
}

export function leadsElsewhere({ redirected, url }: Response): boolean {
  return redirected && new URL(url).pathname !== location.pathname;
}
