import { ConnectionError } from '../../errors/service.ts';
import { isLoopback } from '../../platform/base-url.ts';
import { isExempt, readProxy } from '../../platform/proxy.ts';
import type { Context } from '../../runtime/context.ts';
import { fail, ok, type Finding } from './finding.ts';

/** The proxy that flag, environment or profile name for this address; undefined for none. Addresses of this machine never use one. */
export function proxyFor({ env, settings }: Pick<Context, 'env' | 'settings'>, url: URL): string | undefined {
  const proxy = settings.proxy.value;
  if (proxy === undefined || isLoopback(url.hostname)) return undefined;
  const exempt = isExempt(url.hostname, url.port, env['no_proxy'] || env['NO_PROXY'] || '');
  return exempt ? undefined : proxy;
}

/** `failure` is that of the first request to the service, which went through the proxy if there is one. */
export function checkProxy(ctx: Context, failure: unknown): Finding {
  const { settings } = ctx;
  const base = settings.baseUrl.value;
  const url = base !== undefined && URL.canParse(base) ? new URL(base) : undefined;
  const proxy = url && proxyFor(ctx, url);
  // One that is no address stops every request, also those that need none.
  const isUnusable = unusableSetting(failure) === 'proxy';
  if (proxy === undefined && !isUnusable) return ok('proxy', 'none is used for the service');
  const address = proxy === undefined ? undefined : readProxy(proxy);
  if (!address) {
    return fail(
      'proxy',
      `${settings.proxy.source} is not an http:// or https:// address`,
      'write it as http://host:port, or unset it',
    );
  }
  // Its user and password, if any, are not shown.
  const { origin } = address;
  const code = proxyTrouble(failure);
  if (code !== undefined) {
    const what = code.startsWith('PROXY_')
      ? `refuses with HTTP ${code.slice(6)}`
      : `does not answer (${code})`;
    const todo = `check it, or do without: it comes from ${settings.proxy.source}; NO_PROXY names hosts that need none`;
    return fail('proxy', `${origin} ${what}`, todo);
  }
  return ok('proxy', `${origin} is used; it sees the host, not the requests`);
}

/** The setting that keeps every request from going out, if that is what failed. */
export function unusableSetting(failure: unknown): 'proxy' | 'caFile' | undefined {
  const cause = failure instanceof Error ? failure.cause : undefined;
  return (cause as { readonly setting?: 'proxy' | 'caFile' } | undefined)?.setting;
}

/** The code of a failure that is the proxy's own; undefined for any other. */
export function proxyTrouble(failure: unknown): string | undefined {
  if (!(failure instanceof ConnectionError)) return undefined;
  const { code, proxy } = failure;
  return proxy !== undefined || code.startsWith('PROXY_') ? code : undefined;
}
