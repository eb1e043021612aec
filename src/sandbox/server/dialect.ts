import { dialects, type DialectName } from '../../contract/dialects.ts';
import { unknownRoute, type Answer } from './app.ts';
import type { SandboxSettings } from '../world/settings.ts';
import type { World } from '../world/world.ts';

/** Values of each dialect where they differ from `spec` (docs/spec/current.md); settings of the user win. */
export const dialectSettings: Readonly<Record<DialectName, Partial<SandboxSettings>>> = {
  spec: {},
  current: {
    webhookTimeoutMilliseconds: dialects.current.webhookLimitMilliseconds,
    webhookEncryption: 'never',
    subscriptionsPerUser: 30,
    syncDefaultSeconds: 86_400,
    smsRecipients: 10,
    activeCallQueries: 'read',
  },
};

/** The service with the paths of a dialect. Paths of the other dialect are unknown; its own are translated into those of `spec`. */
export function inDialect(world: World, name: DialectName, service: Answer): Answer {
  if (name === 'spec') return service;
  const { chatPath, ringoutPath } = dialects[name];
  const specChat = dialects.spec.chatPath;
  return async (request, server) => {
    const url = new URL(request.url);
    const spelling = /\/extension\/[^/]+\/(ring-?out)(?:\/|$)/.exec(url.pathname)?.[1] ?? ringoutPath;
    if (spelling !== ringoutPath || isBelow(url.pathname, specChat)) return unknownRoute(world, request);
    if (!isBelow(url.pathname, chatPath)) return service(request, server);
    url.pathname = specChat + url.pathname.slice(chatPath.length);
    const { method, headers } = request;
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: request.body, duplex: 'half' };
    return service(new Request(url, { method, headers, ...body } as RequestInit), server);
  };
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}
