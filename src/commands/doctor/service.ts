import { dayMilliseconds } from '../../platform/day.ts';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { HttpReply } from '../../client/index.ts';
import { ConnectionError } from '../../errors/service.ts';
import { parseBaseUrl } from '../../platform/base-url.ts';
import { counted } from '../../platform/counted.ts';
import { readDateHeader } from '../../platform/date-header.ts';
import { withoutBrackets } from '../../platform/proxy.ts';
import { askVersions } from '../../runtime/ask-versions.ts';
import type { Context } from '../../runtime/context.ts';
import { fail, failureOf, ok, warn, type Finding } from './finding.ts';
import { proxyFor, proxyFailureCode, unusableSetting } from './proxy.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

const skewWarnSeconds = 30;
const skewFailSeconds = 300;
const certificateWarnDays = 14;

/** The findings, and the error if the service could not be reached. */
export interface ServiceFindings {
  readonly findings: readonly Finding[];
  readonly failure?: unknown;
}

/** Checks address, clock and TLS of the service with one request. */
export async function checkService(ctx: Context): Promise<ServiceFindings> {
  const { baseUrl } = ctx.settings;
  if (baseUrl.value === undefined) {
    const todo = nextStep`${ucctl('login --base-url URL')}, or set UCCTL_BASE_URL; without an account: ${ucctl('sandbox start')}`;
    return { findings: [fail('base-url', `profile "${ctx.settings.profile.value}" has no base URL`, todo)] };
  }
  let url: URL;
  try {
    url = parseBaseUrl(baseUrl.value);
  } catch (error) {
    return { findings: [failureOf('base-url', error, `fix the base URL (from ${baseUrl.source})`)] };
  }
  const started = ctx.now();
  try {
    const reply = await askVersions(await ctx.http(), url, {
      timeoutMilliseconds: ctx.settings.timeoutSeconds.value * 1000,
      signal: ctx.signal,
    });
    await reply.discard();
    const time = clock(reply.header('date'), started, ctx.now());
    return { findings: [reach(url, reply), time, await tls(ctx, url)] };
  } catch (error) {
    ctx.signal.throwIfAborted();
    return { findings: [unreachable(url, error, baseUrl.source)], failure: error };
  }
}

function reach(url: URL, reply: HttpReply): Finding {
  const { status } = reply;
  if (status >= 500) return fail('base-url', `${url.origin} responds with HTTP ${status}`, 'retry later');
  const type = reply.header('content-type')?.split(';', 1)[0];
  const isVersions = status < 400 && type === 'application/json';
  if (isVersions || status === 401 || status === 429) return ok('base-url', `${url.origin} responds`);
  const content = type === undefined ? 'without content' : `with ${type}`;
  return warn(
    'base-url',
    `${url.href} responds ${status < 400 ? content : `with HTTP ${status}`} instead of the list of API versions`,
    nextStep`check the path of the base URL: ${ucctl('config list --show-origin')}`,
  );
}

/**
 * Compares the clocks. The service dated its reply between `before` and `after`; the distance of this machine's clock from that range is the clock skew.
 */
function clock(date: string | undefined, before: number, after: number): Finding {
  const served = readDateHeader(date);
  if (served === undefined) {
    return warn(
      'clock',
      'the reply has no Date header, so the clock cannot be checked',
      'compare the output of date -u with the actual time',
    );
  }
  // The Date header has a resolution of one second.
  const ahead = Math.max(0, before - (served + 1000), served - after);
  const seconds = Math.round(ahead / 1000);
  const relation = served > after ? 'behind' : 'ahead of';
  if (seconds < skewWarnSeconds)
    return ok('clock', 'the clock of this machine matches the clock of the service');
  const text = `this machine's clock is ${seconds} s ${relation} the service's clock`;
  const todo =
    'synchronize the clock: timedatectl set-ntp true; sign-in still works, but displayed times are wrong';
  return seconds < skewFailSeconds ? warn('clock', text, todo) : fail('clock', text, todo);
}

async function tls(ctx: Context, url: URL): Promise<Finding> {
  if (ctx.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    return fail('tls', 'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate checks', 'unset the variable');
  }
  if (url.protocol === 'http:') return ok('tls', 'not used: the service is on this machine');
  if (proxyFor(ctx, url)) return ok('tls', `the certificate of ${url.host} is trusted (through the proxy)`);
  const days = await daysLeft(url, ctx.now()).catch(() => undefined);
  if (days === undefined || days >= certificateWarnDays) {
    return ok('tls', `the certificate of ${url.host} is trusted`);
  }
  return warn(
    'tls',
    `the certificate of ${url.host} expires in ${counted(days, 'day')}`,
    'contact the service operator',
  );
}

/** Returns the number of days until the certificate expires. */
function daysLeft(url: URL, now: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const port = url.port === '' ? 443 : Number(url.port);
    // Trust is not checked here, because the preceding request has checked it.
    const host = withoutBrackets(url.hostname);
    // An IP address is not allowed as the server name (RFC 6066).
    const name = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port, ...name, timeout: 3000 }, () => {
      const end = Date.parse(socket.getPeerCertificate().valid_to);
      socket.destroy();
      resolve(Math.floor((end - now) / dayMilliseconds));
    });
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error('TLS handshake timed out')));
  });
}

function unreachable(url: URL, error: unknown, source: string): Finding {
  const code = error instanceof ConnectionError ? error.code : '';
  const setting = unusableSetting(error);
  if (setting === 'caFile')
    return failureOf('tls', error, 'set --ca-file or UCCTL_CA_FILE to a PEM file of certificates');
  if (setting === 'proxy' || proxyFailureCode(error) !== undefined) {
    return warn('base-url', `${url.origin} is not reachable because the proxy failed`, 'fix the proxy first');
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return fail('tls', `${url.host} does not use TLS (${code})`, `check the address (from ${source})`);
  if (code.startsWith('ERR_SSL_'))
    return fail(
      'tls',
      `the TLS handshake with ${url.host} failed (${code})`,
      `check the address (from ${source}), and the firewall or proxy between this machine and the service`,
    );
  if (/CERT|SIGNED|SIGNATURE|TLS|SSL/.test(code)) {
    return fail(
      'tls',
      `the certificate of ${url.host} is not trusted (${code})`,
      certificateTodo(code, source),
    );
  }
  const todo = `check the network, the proxy settings and the address (from ${source})`;
  return fail('base-url', `${url.origin} does not respond (${code || (error as Error).message})`, todo);
}

function certificateTodo(code: string, source: string): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `the certificate is for another host name: check the address (from ${source})`;
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return 'check the clock of this machine; if the clock is correct, contact the service operator';
  }
  return 'trust the certificate authority that signed the certificate: --ca-file FILE or UCCTL_CA_FILE=FILE';
}
