import { announceServerReached } from './backoff.ts';
import { getRegionPath, getScreen, type Region } from './regions.ts';
import { showToast } from './toast.ts';

interface PageResponse {
  readonly response: Response;
  readonly html: string;
}

/** Returns null if the request fails or the response isn't a screen. Shows a message unless the session has ended. */
export async function requestPage(address: string, init: RequestInit = {}): Promise<PageResponse | null> {
  const response = await fetch(address, { ...init, headers: { Accept: 'text/html' } }).catch(() => null);
  const html = (await response?.text().catch(() => null)) ?? null;
  if (response === null || html === null) {
    document.dispatchEvent(new CustomEvent('edgework:lost'));
    showToast("Couldn't reach the server. Nothing you typed was lost. Try again.", { isProblem: true });
    return null;
  }
  if (!isSignInPage(response)) {
    if (isRedirectedElsewhere(response, getScreen()) || html.includes('<body class="screen"')) {
      announceServerReached();
      return { response, html };
    }
    const page = new DOMParser().parseFromString(html, 'text/html');
    const problem = page.querySelector('main [role="alert"]')?.textContent;
    showToast(
      problem ?? 'Something went wrong on our end. Nothing you typed was lost. Try again in a moment.',
      {
        isProblem: true,
      },
    );
  }
  // Starts a refresh, which detects an expired session.
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
