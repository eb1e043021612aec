import { ConnectionError } from '../../errors/service.ts';
import { isLoopback } from '../../platform/base-url.ts';
import { isExempt, readProxy } from '../../platform/proxy.ts';
import type { Context } from '../../runtime/context.ts';
import { fail, ok, type Finding } from './finding.ts';

/**
 * Returns the proxy for this address, set by a flag, the environment or the profile; undefined if none applies.
 * Loopback addresses never use a proxy.
 */
export function proxyFor({ env, settings }: Pick<Context, 'env' | 'settings'>, url: URL): string | undefined {
  const proxy = settings.proxy.value;
  if (proxy === undefined || isLoopback(url.hostname)) return undefined;
  const exempt = isExempt(url.hostname, url.port, env['no_proxy'] || env['NO_PROXY'] || '');
  return exempt ? undefined : proxy;
}

/**
 * Checks the proxy. `failure` is the error of the first request to the service; this request used the proxy if a proxy
 * is set.
 */
export function checkProxy(ctx: Context, failure: unknown): Finding {
  const { settings } = ctx;
  const base = settings.baseUrl.value;
  const url = base !== undefined && URL.canParse(base) ? new URL(base) : undefined;
  const proxy = url && proxyFor(ctx, url);
  // An invalid proxy address fails every request, even requests that do not use the proxy.
  const isUnusable = unusableSetting(failure) === 'proxy';
  if (proxy === undefined && !isUnusable) return ok('proxy', 'no proxy is used for the service');
  const address = proxy === undefined ? undefined : readProxy(proxy);
  if (!address) {
    return fail(
      'proxy',
      `${settings.proxy.source} is not an http:// or https:// address`,
      'set the proxy to http://HOST:PORT, or unset it',
    );
  }
  // The origin does not contain the user name and password of the proxy.
  const { origin } = address;
  const code = proxyFailureCode(failure);
  if (code !== undefined) {
    const what = code.startsWith('PROXY_')
      ? `rejects the connection with HTTP ${code.slice(6)}`
      : `${failedText(failure)} (${code})`;
    const todo = `check or unset the proxy address (from ${settings.proxy.source}); list hosts that need no proxy in NO_PROXY`;
    return fail('proxy', `${origin} ${what}`, todo);
  }
  return ok('proxy', `${origin} is used; the proxy sees the host name of the service, not the requests`);
}

/** Returns the problem of a proxy that opened no connection. */
function failedText(failure: unknown): string {
  if (!(failure instanceof ConnectionError)) return 'does not respond';
  if (failure.code.startsWith('ERR_SSL_')) return 'rejected the TLS handshake';
  if (failure.isCertificateFault) return 'has a certificate that is not trusted or not valid';
  return failure.code === 'HTTPParserError' ? 'does not reply with HTTP' : 'does not respond';
}

/** Returns the setting that makes every request fail, if that is the cause of the failure. */
export function unusableSetting(failure: unknown): 'proxy' | 'caFile' | undefined {
  const cause = failure instanceof Error ? failure.cause : undefined;
  return (cause as { readonly setting?: 'proxy' | 'caFile' } | undefined)?.setting;
}

/** Returns the error code if the proxy caused the failure; undefined for any other cause. */
export function proxyFailureCode(failure: unknown): string | undefined {
  if (!(failure instanceof ConnectionError)) return undefined;
  const { code, proxy } = failure;
  return proxy !== undefined || code.startsWith('PROXY_') ? code : undefined;
}
