import { isLoopback } from '../../platform/base-url.ts';
import type { Context } from '../../runtime/context.ts';
import { fail, ok, type Finding } from './finding.ts';

/** The proxy that flag, environment or profile name for this address; undefined for none. Addresses of this machine never use one. */
export function proxyFor({ env, settings }: Pick<Context, 'env' | 'settings'>, url: URL): string | undefined {
  const proxy = settings.proxy.value;
  if (proxy === undefined || isLoopback(url.hostname)) return undefined;
  return isExcepted(env['no_proxy'] || env['NO_PROXY'] || '', url) ? undefined : proxy;
}

/** `failure` is that of the first request to the service, which went through the proxy if there is one. */
export function checkProxy(ctx: Context, failure: unknown): Finding {
  const { settings } = ctx;
  const base = settings.baseUrl.value;
  const url = base !== undefined && URL.canParse(base) ? new URL(base) : undefined;
  const proxy = url && proxyFor(ctx, url);
  if (!proxy) return ok('proxy', 'none is used for the service');
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol)) {
    return fail(
      'proxy',
      `${settings.proxy.source} is not an http:// or https:// address`,
      'write it as http://host:port, or unset it',
    );
  }
  // Its user and password, if any, are not shown.
  const { origin } = new URL(proxy);
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

/** The code of a failure that is the proxy's own; undefined for any other. */
export function proxyTrouble(failure: unknown): string | undefined {
  if (!(failure instanceof Error)) return undefined;
  const { code = '', proxy } = failure as Error & { readonly code?: string; readonly proxy?: string };
  return proxy !== undefined || code.startsWith('PROXY_') ? code : undefined;
}

function isExcepted(list: string, url: URL): boolean {
  return list
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === '*') return true;
      const [host = '', port] = entry
        .toLowerCase()
        .replace(/^\*?\./, '')
        .split(':');
      const own = url.port === '' ? '443' : url.port;
      if (port !== undefined && port !== own) return false;
      return url.hostname === host || url.hostname.endsWith(`.${host}`);
    });
}
