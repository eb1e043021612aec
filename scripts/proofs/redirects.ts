import { once } from 'node:events';
import { createServer as createPlain, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buildClient, type Client, type HttpReply } from '../../src/client/index.ts';
import { createUndiciHttp } from '../../src/client/undici-http.ts';
import { makeCertificate } from '../../test/support/certificate.ts';
import type { Result } from './result.ts';

const token = 'canary-token-7f3a';
const customHeader = { name: 'x-canary', value: 'canary-header-91bd' };

/** What a server received in one request. */
interface Sight {
  readonly line: string;
  readonly hasToken: boolean;
  readonly hasCustom: boolean;
}

interface Place {
  readonly origin: string;
  readonly host: string;
  readonly seen: Sight[];
  close(): Promise<void>;
}

async function open(
  respond: RequestListener,
  tls?: { readonly key: string; readonly cert: string },
): Promise<Place> {
  const seen: Sight[] = [];
  const listener: RequestListener = (request, response) => {
    seen.push(sightOf(request));
    request.resume();
    request.on('end', () => respond(request, response));
  };
  const server = tls ? createTls(tls, listener) : createPlain(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `${tls ? 'localhost' : '127.0.0.1'}:${(server.address() as AddressInfo).port}`;
  return {
    origin: `${tls ? 'https' : 'http'}://${host}`,
    host,
    seen,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function sightOf(request: IncomingMessage): Sight {
  const everything = `${request.url} ${JSON.stringify(request.headers)}`;
  return {
    line: `${request.method} ${request.url}`,
    hasToken: everything.includes(token),
    hasCustom: everything.includes(customHeader.value),
  };
}

interface World {
  readonly service: Place;
  readonly secure: Place;
  readonly other: Place;
  readonly media: Place;
  /** A client of `service`, and one of `secure`. */
  readonly plain: Client;
  readonly tls: Client;
}

interface Vector {
  readonly name: string;
  readonly go: (world: World) => Promise<unknown>;
  /** Hosts other than the service that may receive the token. */
  readonly allowed?: (world: World) => readonly Place[];
  /** Maximum number of requests that another host may receive; 1 by default. */
  readonly most?: number;
}

const path = '/restapi/v1.0/account/~/extension/~/presence';
const to = (address: string, status = 302): string =>
  `${path}?to=${encodeURIComponent(address)}&status=${status}`;
const get = (client: Client, address: string, status?: number): Promise<unknown> =>
  client.transport.send(asCall('GET', to(address, status)));
const send = (client: Client, method: 'POST' | 'PUT' | 'DELETE', address: string): Promise<unknown> =>
  client.transport.send(asCall(method, to(address, 307)));

function asCall(method: 'GET' | 'POST' | 'PUT' | 'DELETE', target: string) {
  const [before = '', query = ''] = target.split('?');
  return {
    method,
    path: before,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: { [customHeader.name]: customHeader.value },
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }),
  };
}

const vectors: readonly Vector[] = [
  { name: 'redirect to another port, 301', go: ({ plain, other }) => get(plain, other.origin, 301) },
  { name: 'redirect to another port, 302', go: ({ plain, other }) => get(plain, other.origin, 302) },
  { name: 'redirect to another port, 303', go: ({ plain, other }) => get(plain, other.origin, 303) },
  { name: 'redirect to another port, 307', go: ({ plain, other }) => get(plain, other.origin, 307) },
  { name: 'redirect to another port, 308', go: ({ plain, other }) => get(plain, other.origin, 308) },
  {
    name: 'redirect to another name of the same machine',
    go: ({ plain, other }) => get(plain, other.origin.replace('127.0.0.1', 'localhost')),
  },
  {
    name: 'redirect to a media host',
    go: ({ plain, media }) => get(plain, media.origin),
  },
  {
    name: 'redirect away and back',
    go: ({ plain, other, service }) => get(plain, `${other.origin}${to(`${service.origin}${path}`)}`),
  },
  { name: 'redirect from https to http', go: ({ tls, other }) => get(tls, other.origin), most: 0 },
  { name: 'redirect of a POST', go: ({ plain, other }) => send(plain, 'POST', other.origin), most: 0 },
  { name: 'redirect of a PUT', go: ({ plain, other }) => send(plain, 'PUT', other.origin), most: 0 },
  { name: 'redirect of a DELETE', go: ({ plain, other }) => send(plain, 'DELETE', other.origin), most: 0 },
  {
    name: 'content address elsewhere',
    go: ({ plain, other }) => plain.media.open(`${other.origin}/content/1`),
  },
  {
    name: 'content address with the service as its user name',
    go: ({ plain, other, service }) => plain.media.open(`http://${service.host}@${other.host}/content/1`),
  },
  {
    name: 'content address on a media host',
    go: ({ plain, media }) => plain.media.open(`${media.origin}/content/1`),
    allowed: ({ media }) => [media],
  },
  {
    name: 'content address on a media host, without TLS',
    go: ({ tls, media }) => tls.media.open(`${media.origin}/content/1`),
  },
  {
    name: 'content address that redirects elsewhere',
    go: ({ plain, other, service }) => plain.media.open(service.origin + to(`${other.origin}/content/1`)),
  },
];

/** 17 ways in which a token could be sent to another origin: redirects of every kind, and addresses of content. */
export async function run(): Promise<readonly Result[]> {
  const redirecting: RequestListener = (request, response) => {
    const query = new URL(request.url ?? '/', 'http://x').searchParams;
    const target = query.get('to');
    if (target === null) response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":1}');
    else response.writeHead(Number(query.get('status') ?? 302), { location: target }).end();
  };
  const tls = await makeCertificate('localhost');
  const [service, secure, other, media] = await Promise.all([
    open(redirecting),
    open(redirecting, tls),
    open(redirecting),
    open(redirecting),
  ]);
  const http = createUndiciHttp({ ca: [tls.cert] });
  const clientOf = (place: Place): Client =>
    buildClient({
      baseUrl: new URL(place.origin),
      http: http.send,
      tokens: { current: () => Promise.resolve(token), renew: () => Promise.resolve(token) },
      userAgent: 'proof',
      timeoutMilliseconds: 5000,
      retries: 0,
      mediaHosts: [media.host],
    });
  const world: World = { service, secure, other, media, plain: clientOf(service), tls: clientOf(secure) };
  const broken: string[] = [];
  for (const vector of vectors) broken.push(...(await problemsOf(vector, world)));
  const isSent = await isTokenSentToSameHost(world);
  await http.close();
  await Promise.all([service, secure, other, media].map((place) => place.close()));
  return [
    {
      promise: 'a token is never sent to another origin',
      figure: `${broken.length} of ${vectors.length} vectors leak${broken.length > 0 ? `: ${broken.join('; ')}` : ''}`,
      holds: broken.length === 0,
    },
    {
      promise: 'a redirect to the same host keeps the token',
      figure: isSent ? 'sent' : 'lost',
      holds: isSent,
    },
  ];
}

async function problemsOf({ name, go, allowed, most = 2 }: Vector, world: World): Promise<readonly string[]> {
  const { service, secure, other, media } = world;
  for (const place of [service, secure, other, media]) place.seen.length = 0;
  const reply = await go(world).catch(() => undefined);
  // A reply that is not read would keep its connection open.
  if (isReply(reply)) await reply.discard();
  const faults: string[] = [];
  const trusted = allowed?.(world) ?? [];
  for (const place of [other, media]) {
    if (place.seen.length > most) faults.push(`${name}: ${place.seen.length} requests`);
    if (trusted.includes(place)) {
      if (!place.seen.some((sight) => sight.hasToken)) faults.push(`${name}: the token is missing`);
    } else if (place.seen.some((sight) => sight.hasToken || sight.hasCustom)) faults.push(name);
  }
  // After a redirect to another host and back, the token is not sent: the other host chose that address.
  const afterDetour = service.seen.slice(1);
  if (name.includes('back') && afterDetour.some((sight) => sight.hasToken)) faults.push(name);
  return faults;
}

function isReply(value: unknown): value is HttpReply {
  return typeof value === 'object' && value !== null && 'discard' in value;
}

async function isTokenSentToSameHost({ plain, service }: World): Promise<boolean> {
  service.seen.length = 0;
  await plain.transport.send(asCall('GET', to(`${service.origin}${path}`)));
  return service.seen.length === 2 && service.seen.every((sight) => sight.hasToken);
}
