import { createHash } from 'node:crypto';
import { readPackageFile } from '../../platform/package-file.ts';
import { checkOrigin } from '../control/guard.ts';
import { ControlError } from '../control/control-error.ts';
import type { ServerBindings } from '../server/app.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

/**
 * Reply headers that allow only content of this server, forbid markup made by scripts, and prevent other pages from
 * embedding the page.
 */
const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; media-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
};

/** The files of the page, with path, file name and content type. */
const files: Readonly<Record<string, readonly [name: string, type: string]>> = lookupTable({
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/console/app.js': ['app.js', 'text/javascript; charset=utf-8'],
  '/console/app.css': ['app.css', 'text/css; charset=utf-8'],
  '/console/icon.svg': ['icon.svg', 'image/svg+xml'],
});

/**
 * Answers a browser that opens the page of the sandbox. Returns undefined for every other request, for a request of
 * another machine or under another host name, and if the page was not built. The service answers these requests.
 */
export function answerPage(
  request: Request,
  path: string,
  server: ServerBindings | undefined,
): Response | undefined {
  const file = files[path];
  if (!file || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined;
  if (path === '/' && !acceptsHtml(request)) return undefined;
  if (!isOwn(request, server)) return undefined;
  const [name, type] = file;
  const content = readPackageFile(`console/${name}`);
  if (!content) return undefined;
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(content), {
    headers: { ...pageHeaders, 'content-type': type, 'content-length': String(content.length) },
  });
}

/** Identifies the page that the sandbox offers, so that an open page of another version can notice the difference. */
export function pageBuild(): string {
  const hash = createHash('sha256');
  for (const [name] of Object.values(files)) hash.update(readPackageFile(`console/${name}`) ?? '');
  return hash.digest('hex').slice(0, 16);
}

/** Programs get JSON, because only browsers accept this type explicitly. */
function acceptsHtml(request: Request): boolean {
  const types = (request.headers.get('accept') ?? '').split(',');
  // The weight 0 excludes a type (RFC 9110, section 12.4.2).
  return types.some((type) => /^\s*text\/html\s*(;|$)/i.test(type) && !/;\s*q=0(\.0*)?\s*(;|$)/i.test(type));
}

function isOwn(request: Request, server: ServerBindings | undefined): boolean {
  try {
    checkOrigin(request, server?.incoming);
    return true;
  } catch (error) {
    if (error instanceof ControlError) return false;
    throw error;
  }
}
