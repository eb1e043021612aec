import { isIP } from 'node:net';

/** Domains whose subdomains belong to different customers. Their hosts are not related to each other. */
const sharedDomains: ReadonlySet<string> = new Set([
  'amazonaws.com',
  'azurewebsites.net',
  'cloudapp.net',
  'cloudfront.net',
  'fly.dev',
  'github.io',
  'herokuapp.com',
  'netlify.app',
  'ngrok.app',
  'ngrok.io',
  'onrender.com',
  'pages.dev',
  'trycloudflare.com',
  'vercel.app',
  'web.app',
  'workers.dev',
]);

/**
 * The domain that the owner of a host registered, such as `example.com` for `media.example.com`. Undefined if it cannot
 * be determined with certainty without the list of public suffixes: for addresses, single names and shared domains. A
 * short label below a country, as in `co.uk`, counts as a public suffix.
 */
export function registrableDomain(hostname: string): string | undefined {
  const labels = hostname.toLowerCase().split('.');
  const [second = '', top = ''] = labels.slice(-2);
  if (isIP(hostname) !== 0 || hostname.includes(':') || labels.length < 2 || labels.includes('')) {
    return undefined;
  }
  if (sharedDomains.has(`${second}.${top}`)) return undefined;
  const count = top.length === 2 && second.length <= 3 ? 3 : 2;
  return labels.length < count ? undefined : labels.slice(-count).join('.');
}
