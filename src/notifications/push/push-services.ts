import { type Deployment, describeUnsafeUrl, isLoopbackHost } from '../../kernel/net/outbound-url.ts';

/**
 * The push services of Chrome, Chromium, Firefox, Safari and Edge. Browsers choose the service, so an
 * endpoint at any other host could only be meant to reach a server that people can't reach themselves.
 */
const PUSH_SERVICE_PATTERN =
  /^(fcm\.googleapis\.com|jmt17\.google\.com|[a-z\d-]+\.(push\.services\.mozilla\.com|push\.apple\.com|notify\.windows\.com))$/;

/** Checked before the endpoint is stored, and again before each request. */
export function describeUnknownEndpoint(endpoint: string, deployment: Deployment): string | null {
  const unsafe = describeUnsafeUrl(endpoint, deployment);
  if (unsafe) return unsafe;
  const { hostname } = new URL(endpoint);
  // Only a local server accepts a loopback address up to here.
  if (isLoopbackHost(hostname) || PUSH_SERVICE_PATTERN.test(hostname)) return null;
  return 'must belong to the push service of Chrome, Edge, Firefox or Safari';
}
