import { resolve } from 'node:path';
import type { Exchange, HttpSend } from '../client/index.ts';
import type { NetworkOptions } from '../client/network.ts';
import type { UndiciHttp } from '../client/undici-http.ts';
import type { SeenReplies } from '../cli/seen-replies.ts';
import { isLoopback } from '../platform/base-url.ts';
import { fileFailureReason } from '../platform/file-failure.ts';
import { CommandError, Exit } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';
import type { SocketRoute } from '../runtime/socket-route.ts';
import type { System } from '../runtime/system.ts';
import { withInterruptNote } from './interrupt-note.ts';
import { once, type Parts } from './parts.ts';

/** The network access of one run, opened at the first use. */
export interface Networks {
  /** Transport for the API client, which records secrets itself. */
  readonly unguarded: () => Promise<HttpSend>;
  /** Transport for all other code. It records the secrets of requests, so that they are masked in replies. */
  readonly guarded: () => Promise<HttpSend>;
}

/** Creates the network access of one run. Every reply is recorded in `parts.replies`. */
export function networksOf(parts: Parts): Networks {
  const unguarded = once(async () =>
    withInterruptNote(watched(await networkOf(parts), parts.replies), parts),
  );
  const guarded = once(async () => {
    const { guardSecrets } = await import('../client/secret-guard.ts');
    return guardSecrets(await unguarded(), parts.system.sentSecrets);
  });
  return { unguarded, guarded };
}

/** Returns a network whose replies are decompressed, for requests that the client does not send. */
export function decompressedNetwork(send: HttpSend): HttpSend {
  return async (request) => {
    const reply = await send(request);
    if (reply.header('content-encoding') === undefined) return reply;
    const [{ isGzip }, { decompressed }] = await Promise.all([
      import('../client/http.ts'),
      import('../client/gunzip.ts'),
    ]);
    return isGzip(reply)
      ? decompressed(reply, { method: request.method, path: request.url.pathname })
      : reply;
  };
}

/** Returns the network of a dry run. Auth does not use it: renewing the session is allowed in a dry run. */
export async function dryRunNetwork(http: HttpSend): Promise<HttpSend> {
  const { dryRunHttp } = await import('../client/dry-run-http.ts');
  return dryRunHttp(http);
}

/** Records each reply, because it may be the cause of a later failure. */
function watched(send: HttpSend, replies: SeenReplies): HttpSend {
  return async (request) => {
    const reply = await send(request);
    replies.see(request, reply.status);
    return reply;
  };
}

/**
 * Returns the network of this run. The modules for proxies, certificate authorities and traces are loaded only if they
 * are requested.
 */
async function networkOf(parts: Parts): Promise<HttpSend> {
  const { system, globals, out } = parts;
  const plain = system.http ?? (await realNetwork(parts));
  if (globals.debug !== 'http' && globals.traceFile === undefined) return plain;
  const { tracedHttp, debugLines, harFile } = await import('../client/trace/index.ts');
  const sinks = [
    ...(globals.debug === 'http' ? [(exchange: Exchange) => out.show(debugLines(exchange))] : []),
    ...(globals.traceFile === undefined
      ? []
      : [harFile(resolve(system.cwd, globals.traceFile), system.version, incompleteTrace(out))]),
  ];
  return tracedHttp(plain, {
    now: () => system.now(),
    elapsed: () => system.elapsed(),
    sent: system.sentSecrets,
    sinks,
  });
}

/** Returns a function that warns once about a trace file that cannot be written. */
function incompleteTrace(out: Parts['out']): (error: unknown) => void {
  let isWarned = false;
  return (error) => {
    if (!isWarned) out.warn(`the trace file is incomplete: ${fileFailureReason(error)}`);
    isWarned = true;
  };
}

async function realNetwork(parts: Parts): Promise<HttpSend> {
  const { system, settings, out } = parts;
  if (system.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    out.warn(
      'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked, so anyone on the network path can read your token; use --ca-file instead',
    );
  }
  // HTTP_PROXY is ignored: plain http is allowed only for this machine, which ucctl reaches without a proxy.
  if ((await proxyOf(settings)) === undefined && settings.caFile.value === undefined) {
    const { createUndiciHttp } = await import('../client/undici-http.ts');
    const connectTimeoutMilliseconds = await connectTimeout(parts);
    return opened(createUndiciHttp({ connectTimeoutMilliseconds }), parts);
  }
  const { createNetwork } = await import('../client/network.ts');
  const address = settings.baseUrl.value ?? '';
  if (settings.proxy.origin === 'flag' && URL.canParse(address) && isLoopback(new URL(address).hostname)) {
    out.warn(
      `--proxy is ignored: ${new URL(address).origin} is on this machine, which ucctl always connects to directly`,
    );
  }
  return withOptions(parts, async (options) => opened(await createNetwork(options), parts));
}

/**
 * Returns the address of the proxy. A proxy in the environment that ucctl cannot use, such as a SOCKS proxy for other
 * programs, does not matter for a service on this machine.
 */
async function proxyOf({ proxy, baseUrl }: Parts['settings']): Promise<string | undefined> {
  const { value, origin } = proxy;
  const base = baseUrl.value ?? '';
  const isLocal = URL.canParse(base) && isLoopback(new URL(base).hostname);
  if (value === undefined || origin !== 'environment' || !isLocal) return value;
  // Loaded only if there is a proxy, because each file takes time at the start.
  const { readProxy } = await import('../platform/proxy.ts');
  return readProxy(value) ? value : undefined;
}

/** Returns the timeout of connection attempts, which is not longer than `--timeout`. */
async function connectTimeout({ settings }: Parts): Promise<number> {
  const { connectMilliseconds } = await import('../client/undici-http.ts');
  return connectMilliseconds(settings.timeoutSeconds.value * 1000);
}

/** Returns the route of connections that are not HTTP requests. Tests that replace the network connect directly. */
export async function routeOf(parts: Parts): Promise<SocketRoute> {
  const { system, settings } = parts;
  const isDirect = (await proxyOf(settings)) === undefined && settings.caFile.value === undefined;
  if (isDirect || system.http) return { ca: undefined, proxyFor: () => undefined };
  const { openRoute } = await import('../client/network.ts');
  return withOptions(parts, openRoute);
}

/**
 * Calls `open` with the options of the network. @throws {CommandError} `usage` for an invalid setting, with its source.
 */
async function withOptions<T>(parts: Parts, open: (options: NetworkOptions) => Promise<T>): Promise<T> {
  const {
    system: { env, cwd },
    settings,
    paths,
  } = parts;
  const { NetworkSettingError } = await import('../client/network.ts');
  const caFile = settings.caFile.value;
  // A path in a profile is relative to the config folder, not to the current folder.
  const folder = settings.caFile.origin === 'profile' ? paths.config : cwd;
  try {
    return await open({
      proxy: await proxyOf(settings),
      noProxy: env['no_proxy'] || env['NO_PROXY'],
      caFile: caFile === undefined ? undefined : resolve(folder, caFile),
      extraCaFile: env['NODE_EXTRA_CA_CERTS'] || undefined,
      connectTimeoutMilliseconds: await connectTimeout(parts),
    });
  } catch (error) {
    if (!(error instanceof NetworkSettingError)) throw error;
    const hint = nextStep`fix the setting (from ${settings[error.setting].source}); list all settings: ${ucctl('config list --show-origin')}`;
    throw new CommandError('usage', Exit.usage, error.message, { hint, cause: error });
  }
}

/** Returns the network of a run, which a nested run closes at its end. */
function opened(http: UndiciHttp, { system, atEnd }: Parts): HttpSend {
  // The run does not wait for the end of requests that it has stopped waiting for.
  if (system.closesNetwork === true) atEnd(async () => void http.close());
  return announced(http.send, system);
}

/** Calls `beforeFirstRequest` right before the first request, when the session was read and all modules are loaded. */
function announced(send: HttpSend, system: System): HttpSend {
  const first = once(async () => system.beforeFirstRequest?.());
  return async (request) => {
    await first();
    return send(request);
  };
}
