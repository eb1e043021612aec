import type { Context } from '../../runtime/context.ts';
import { fail, ok, type Finding } from './finding.ts';

type Env = Context['env'];

/** The proxy that the environment names for this address; undefined for none. Addresses of this machine never use one. */
export function proxyFor(env: Env, url: URL): string | undefined {
  const secure = url.protocol === 'https:';
  const name = secure ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = env[name] ?? env[name.toLowerCase()];
  if (!proxy || isLoopback(url.hostname)) return undefined;
  return isExcepted(env['NO_PROXY'] ?? env['no_proxy'] ?? '', url) ? undefined : proxy;
}

export function checkProxy({ env, settings }: Context): Finding {
  const base = settings.baseUrl.value;
  const url = base !== undefined && URL.canParse(base) ? new URL(base) : undefined;
  const proxy = url && proxyFor(env, url);
  if (!proxy) return ok('proxy', 'none is used for the service');
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol)) {
    return fail(
      'proxy',
      'HTTPS_PROXY is not an http:// or https:// address',
      'write it as http://host:port, or unset it',
    );
  }
  // Its user and password, if any, are not shown.
  return ok('proxy', `${new URL(proxy).origin} is used; it sees the host, not the requests`);
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

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
