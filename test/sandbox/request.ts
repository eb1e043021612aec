import { parseJson } from '../../src/platform/json.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { signInAs } from '../support/sandbox.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, loosely typed: tests compare it. */
  readonly body: Body;
}
interface Body {
  readonly [member: string]: unknown;
  readonly uri: string;
  readonly id: string | number;
  readonly errorCode: string;
  readonly errors: readonly { readonly errorCode: string; readonly parameterName?: string }[];
  readonly records: readonly Readonly<Record<string, unknown>>[];
  readonly paging: Readonly<Record<string, number>>;
  readonly navigation: Readonly<Record<string, { readonly uri: string }>>;
}

/** Sends one request to the sandbox in process. A path that names no root of the service is relative to v1.0. */
export async function send(
  sandbox: Sandbox,
  method: string,
  path: string,
  options: {
    readonly token?: string;
    readonly json?: unknown;
    readonly headers?: Record<string, string>;
    readonly body?: string | Uint8Array;
  } = {},
): Promise<Answer> {
  const body = options.json === undefined ? options.body : JSON.stringify(options.json);
  const url = /^\/(restapi|team-messaging|webhook|v2|time)\b/.test(path)
    ? sandbox.url + path
    : `${sandbox.url}/restapi/v1.0${path}`;
  const response = await sandbox.fetch(
    new Request(url, {
      method,
      redirect: 'manual',
      headers: {
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
        ...(options.json !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body !== undefined && { body }),
    }),
  );
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    body: (isJson ? parseJson(text) : { text }) as Body,
  };
}

/** The requests of one signed-in user. */
export async function userClient(sandbox: Sandbox, who: string, clientId?: string) {
  const token = await signInAs(sandbox, who, clientId);
  return {
    token,
    get: (path: string) => send(sandbox, 'GET', path, { token }),
    post: (path: string, json?: unknown) => send(sandbox, 'POST', path, { token, json }),
    put: (path: string, json?: unknown) => send(sandbox, 'PUT', path, { token, json }),
    patch: (path: string, json?: unknown) => send(sandbox, 'PATCH', path, { token, json }),
    delete: (path: string) => send(sandbox, 'DELETE', path, { token }),
  };
}

/** Asks the token endpoint. `client` is `id:secret`, or null to send no header. */
export function requestToken(
  sandbox: Sandbox,
  form: Readonly<Record<string, string>>,
  client: string | null = `${sandbox.ready.clientId}:${sandbox.ready.clientSecret}`,
): Promise<Answer> {
  return send(sandbox, 'POST', '/restapi/oauth/token', {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(client !== null && { authorization: `Basic ${Buffer.from(client).toString('base64')}` }),
    },
    body: new URLSearchParams(form).toString(),
  });
}

/** Status and code of a rejection, as tests name them. */
export function rejection({ status, body }: Answer): string {
  return `${status} ${body.errors[0]?.errorCode ?? body.errorCode}`;
}
