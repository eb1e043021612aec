import { SDK } from '@ringcentral/sdk';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { userOf } from '../../support/sandbox.ts';

/** The sandbox on a port of this machine, in real time, as the vendor's libraries require. */
export function realSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return startSandbox({ clock: 'real', validateReplies: false, ...options });
}

let clients = 0;

/** The vendor's client for an app of the sandbox, not signed in. */
export function clientOf(sandbox: Sandbox, clientId = sandbox.ready.clientId): SDK {
  const app = sandbox.ready.apps.find((candidate) => candidate.clientId === clientId);
  clients += 1;
  return new SDK({
    // Otherwise all clients of a process share one session.
    cachePrefix: `client-${clients}`,
    server: sandbox.url,
    clientId,
    clientSecret: app?.clientSecret ?? '',
    redirectUri: sandbox.ready.redirectUris[0] ?? '',
  });
}

/** The same, signed in with a password. */
export async function signedIn(sandbox: Sandbox, who = 'administrator'): Promise<SDK> {
  const sdk = clientOf(sandbox);
  const { username, extension, password } = userOf(sandbox, who);
  await sdk.login({ username, extension, password });
  return sdk;
}

export type Json = Readonly<Record<string, unknown>>;

/** The JSON of a reply, as an object. */
export async function json(reply: Promise<Response>): Promise<Json> {
  return (await (await reply).json()) as Json;
}

/** The records of a list. */
export async function records(reply: Promise<Response>): Promise<readonly Json[]> {
  return (await json(reply))['records'] as readonly Json[];
}
