import { resolve } from 'node:path';
import type { Exchange, HttpSend } from '../client/index.ts';
import type { SeenReplies } from '../cli/seen-replies.ts';
import { isLoopback } from '../platform/base-url.ts';
import { CommandError, Exit } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';
import type { System } from '../runtime/system.ts';
import { once, type Parts } from './parts.ts';

/** The ways to the network of one run, each opened at its first use. */
export interface Networks {
  /** For the client, which guards what it sends by itself. */
  readonly unguarded: () => Promise<HttpSend>;
  /** For everything else: what is sent is remembered, so that secrets of it are masked. */
  readonly guarded: () => Promise<HttpSend>;
}

/** Makes them for one run; every reply is noted. */
export function networksOf(parts: Parts): Networks {
  const unguarded = once(async () => watched(await networkOf(parts), parts.replies));
  const guarded = once(async () => {
    const { guardSecrets } = await import('../client/secret-guard.ts');
    return guardSecrets(await unguarded());
  });
  return { unguarded, guarded };
}

/** A renewal of the session is no change that a dry run is about: auth keeps the network as it is. */
export async function withheld(http: HttpSend): Promise<HttpSend> {
  const { withheldHttp } = await import('../client/withheld-http.ts');
  return withheldHttp(http);
}

/** Notes each reply: what fails afterwards may follow from it. */
function watched(send: HttpSend, replies: SeenReplies): HttpSend {
  return async (request) => {
    const reply = await send(request);
    replies.see(request, reply.status);
    return reply;
  };
}

/** The network of this run: plain unless a proxy, certificate authorities or a trace are asked for. */
async function networkOf(parts: Parts): Promise<HttpSend> {
  const { system, globals, out } = parts;
  const plain = system.http ?? (await realNetwork(parts));
  if (globals.debug !== 'http' && globals.traceFile === undefined) return plain;
  const { tracedHttp, debugLines, harFile } = await import('../client/trace/index.ts');
  const sinks = [
    ...(globals.debug === 'http' ? [(exchange: Exchange) => out.show(debugLines(exchange))] : []),
    ...(globals.traceFile === undefined
      ? []
      : [harFile(resolve(system.cwd, globals.traceFile), system.version)]),
  ];
  return tracedHttp(plain, () => system.now(), sinks);
}

async function realNetwork({ system, settings, paths, out }: Parts): Promise<HttpSend> {
  const { env } = system;
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    out.warn(
      'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked, anyone on the way can read your token; use --ca-file instead',
    );
  }
  // Plain http is for this machine only, which no proxy is asked for: HTTP_PROXY has nothing to say here.
  const proxy = settings.proxy.value;
  const caFile = settings.caFile.value;
  if (proxy === undefined && caFile === undefined) {
    const { createUndiciHttp } = await import('../client/undici-http.ts');
    return announced(createUndiciHttp().send, system);
  }
  const { createNetwork, NetworkSettingError } = await import('../client/network.ts');
  const address = settings.baseUrl.value ?? '';
  if (settings.proxy.origin === 'flag' && URL.canParse(address) && isLoopback(new URL(address).hostname)) {
    out.warn(
      `--proxy is not used: ${new URL(address).origin} is on this machine, which is always reached directly`,
    );
  }
  const noProxy = env['no_proxy'] || env['NO_PROXY'];
  try {
    // One of the profile is the same file wherever one is.
    const folder = settings.caFile.origin === 'profile' ? paths.config : system.cwd;
    const file = caFile === undefined ? undefined : resolve(folder, caFile);
    return announced(
      (
        await createNetwork({
          proxy,
          noProxy,
          caFile: file,
          extraCaFile: env['NODE_EXTRA_CA_CERTS'] || undefined,
        })
      ).send,
      system,
    );
  } catch (error) {
    if (!(error instanceof NetworkSettingError)) throw error;
    const hint = nextStep`it comes from ${settings[error.setting].source}; ${ucctl('config list --show-origin')} shows all`;
    throw new CommandError('usage', Exit.usage, error.message, { hint, cause: error });
  }
}

/** Announces the first request when it goes out, and no earlier: by then the session was read, and all that it takes is loaded. */
function announced(send: HttpSend, system: System): HttpSend {
  const first = once(async () => system.beforeFirstRequest?.());
  return async (request) => {
    await first();
    return send(request);
  };
}
