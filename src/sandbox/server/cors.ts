import type { World } from '../world/world.ts';

/** Reply headers that a page may read in addition to the headers of the Fetch standard. */
const exposed = 'content-disposition, content-range, date, etag, location, retry-after, x-request-id';
const limits = 'x-rate-limit-group, x-rate-limit-limit, x-rate-limit-remaining, x-rate-limit-window';

/**
 * Returns the headers that let a web page of a registered browser app read the reply. Undefined for any other origin,
 * and for the sign-in page, because browsers open this page instead of fetching it. The control API does not use
 * this function. No header allows cookies, because apps send the token in a header.
 */
export function corsHeaders(world: World, request: Request): Readonly<Record<string, string>> | undefined {
  const origin = request.headers.get('origin');
  if (origin === null || !isApi(request.url) || !isRegistered(world, origin)) return undefined;
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': `${exposed}, ${limits}`,
    vary: 'Origin',
  };
}

/** Returns the reply to a preflight. Undefined for any other request. */
export function preflightReply(
  request: Request,
  cors: Readonly<Record<string, string>>,
): Response | undefined {
  if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method')) return undefined;
  const asked = request.headers.get('access-control-request-headers');
  const headers = {
    ...cors,
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    ...(asked !== null && { 'access-control-allow-headers': asked }),
    'access-control-max-age': '600',
  };
  return new Response(null, { status: 204, headers });
}

function isApi(url: string): boolean {
  const { pathname } = new URL(url);
  return (
    /^\/(restapi|team-messaging|v2|time)\//.test(pathname) &&
    !/^\/restapi\/oauth\/authorize\/?$/.test(pathname)
  );
}

/** Whether an app that runs in a browser has a redirect URI of this origin. */
export function isRegistered(world: World, origin: string): boolean {
  return world.apps
    .all()
    .filter(({ registration }) => registration === 'PrivateBrowserBased')
    .some(({ redirectUris }) => redirectUris.some((uri) => originOf(uri) === origin));
}

/**
 * Returns the origin of an address. Undefined for an address that is not a web page, such as the address of an
 * installed app.
 */
function originOf(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { protocol, origin } = new URL(uri);
  return /^https?:$/.test(protocol) ? origin : undefined;
}
