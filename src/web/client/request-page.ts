import { announceServerReached } from './backoff.ts';
import { getRegionPath, getScreen, type Region } from './regions.ts';
import { showToast } from './toast.ts';

interface PageResponse {
  readonly answer: Response;
  readonly html: string;
}

/** If the response isn't a page, notifies the person and returns null. */
export async function requestPage(address: string, init: RequestInit = {}): Promise<PageResponse | null> {
  const answer = await fetch(address, { ...init, headers: { Accept: 'text/html' } }).catch(() => null);
  const html = (await answer?.text().catch(() => null)) ?? null;
  if (answer === null || html === null) {
    document.dispatchEvent(new CustomEvent('edgework:lost'));
    showToast("Couldn't reach the server. Your text is still here. Try again.", { isProblem: true });
    return null;
  }
  if (!isSignInPage(answer)) {
    if (isRedirectedElsewhere(answer, getScreen()) || html.includes('<body class="screen"')) {
      announceServerReached();
      return { answer, html };
    }
    const page = new DOMParser().parseFromString(html, 'text/html');
    const problem = page.querySelector('main [role="alert"]')?.textContent;
    showToast(problem ?? 'Something went wrong on our end. Your text is still here. Try again in a moment.', {
      isProblem: true,
    });
  }
  // The refresh detects that the session has expired.
  document.dispatchEvent(new CustomEvent('edgework:stale'));
  return null;
}

let isNavigating = false;
window.addEventListener('pageshow', () => {
  isNavigating = false;
});

/** Also stops refreshes of the current page, because its content may have been deleted. */
export function navigateTo(address: string) {
  isNavigating = true;
  location.assign(address);
}

export const isLeavingPage = () => isNavigating;

export function isSignInPage({ redirected, url }: Response): boolean {
  return redirected && new URL(url).pathname === '/sign-in';
}

export function isRedirectedElsewhere({ redirected, url }: Response, region: Region): boolean {
  return redirected && new URL(url).pathname !== getRegionPath(region);
}
