import type { HttpReply, HttpSend } from '../../src/client/http.ts';
import type { ReadyUser, Sandbox } from '../../src/sandbox/index.ts';

/**
 * The network of a test: every request goes to the sandbox in the same process. An abort works while waiting and
 * while reading.
 */
export function sandboxHttp(sandbox: Sandbox): HttpSend {
  return async (request) => {
    const { method, url, headers, signal } = request;
    const body = request.stream ? await collect(request.stream.open()) : request.body;
    const response = await raceAbort(
      sandbox.fetch(new Request(url, { method, headers, ...(body !== undefined && { body }) })),
      signal,
    );
    return toReply(response, signal);
  };
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

function toReply(response: Response, signal: AbortSignal | undefined): HttpReply {
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    headers: Object.fromEntries(response.headers),
    text: () => raceAbort(response.text(), signal),
    async *bytes() {
      for await (const chunk of response.body ?? []) {
        signal?.throwIfAborted();
        yield chunk;
      }
    },
    discard: async () => {
      await response.body?.cancel();
    },
  };
}

async function raceAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** A user of the fixture by role or extension number. */
export function userOf(sandbox: Sandbox, who: string): ReadyUser {
  const user = sandbox.ready.users.find(({ role, extension }) => role === who || extension === who);
  if (!user) throw new Error(`the sandbox has no user ${who}`);
  return user;
}

/** Signs in by password, or with an assertion where passwords are rejected, and returns the access token. `who` is a role or an extension number. */
export async function signInAs(sandbox: Sandbox, who: string, clientId?: string): Promise<string> {
  const { extensionId, username, extension, password } = userOf(sandbox, who);
  const form =
    sandbox.ready.dialect === 'current'
      ? {
          grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
          assertion: sandbox.assertion({ sub: extensionId }),
        }
      : { grant_type: 'password', username, extension, password };
  const app = sandbox.ready.apps.find(
    (candidate) => candidate.clientId === (clientId ?? sandbox.ready.clientId),
  );
  const response = await sandbox.fetch(
    new Request(`${sandbox.url}/restapi/oauth/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${app?.clientId}:${app?.clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(form).toString(),
    }),
  );
  const reply = (await response.json()) as { access_token?: string; error_description?: string };
  if (reply.access_token === undefined) throw new Error(`sign-in as ${who}: ${reply.error_description}`);
  return reply.access_token;
}
