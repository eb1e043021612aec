import { randomBytes } from 'node:crypto';
import { secretPath, startListener } from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { failureOf, fail, ok, warn, type Finding } from './finding.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { cannotListen } from '../../errors/cannot-listen.ts';

const host = '127.0.0.1';

export interface WebhookOptions {
  readonly publicUrl?: string | undefined;
  readonly port?: number | undefined;
}

/** Sends a webhook handshake as the service would, to a local listener, through the public address if one is given. */
export async function checkWebhook(ctx: Context, options: WebhookOptions): Promise<Finding> {
  const target = publicTarget(options.publicUrl);
  if (target === 'bad') {
    return fail(
      'webhook',
      `${options.publicUrl} is not a valid https:// address`,
      'set --public-url to the https:// address of the tunnel',
    );
  }
  const path = secretPath();
  const { port = 0 } = options;
  let handshakes = 0;
  try {
    const listener = await startListener({
      host,
      port,
      path,
      intake: { accept: () => Promise.resolve(), reject: () => undefined },
      verificationToken: undefined,
      warn: (problem) => ctx.out.warn(problem),
      onHandshake: () => {
        handshakes += 1;
      },
    }).catch((cause: unknown) => {
      const otherPort = `choose another port with --port${target ? ', and configure the tunnel to forward to it' : ''}`;
      throw cannotListen({ host, port, cause }, { otherPort, otherHost: otherPort });
    });
    try {
      const local = new URL(`http://${host}:${listener.port}${path}`);
      const url = target ? new URL(target.pathname.replace(/\/$/, '') + path, target) : local;
      return await shakeHands(ctx, url, () => handshakes);
    } finally {
      await listener.close(0);
    }
  } catch (error) {
    ctx.signal.throwIfAborted();
    return failureOf(
      'webhook',
      error,
      target
        ? `check that the tunnel forwards to ${options.port === undefined ? 'the port set with --port' : `port ${options.port}`}`
        : `check that no firewall or proxy blocks connections to ${host}`,
    );
  }
}

async function shakeHands(ctx: Context, url: URL, handshakes: () => number): Promise<Finding> {
  const token = randomBytes(16).toString('hex');
  const limit = ctx.settings.webhookLimitMilliseconds.value;
  const http = await ctx.http();
  const started = performance.now();
  const reply = await http({
    method: 'POST',
    url,
    headers: { 'validation-token': token, 'content-length': '0' },
    timeoutMilliseconds: ctx.settings.timeoutSeconds.value * 1000,
    signal: ctx.signal,
    freshConnection: true,
  });
  const milliseconds = Math.round(performance.now() - started);
  await reply.discard();
  const where = url.origin;
  if (handshakes() === 0) {
    return fail(
      'webhook',
      `${where} responded with HTTP ${reply.status}, but the handshake did not reach ucctl`,
      'configure the tunnel to forward to 127.0.0.1 on the port set with --port',
    );
  }
  if (reply.status !== 200 || reply.header('validation-token') !== token) {
    return fail(
      'webhook',
      `${where} does not return the handshake reply (HTTP ${reply.status})`,
      'configure the tunnel to pass the Validation-Token header in both directions',
    );
  }
  if (milliseconds > limit) {
    return warn(
      'webhook',
      `${where} took ${milliseconds} ms for a handshake; the service waits at most ${limit} ms`,
      nextStep`use a faster tunnel, or raise the limit: ${ucctl('config set webhook-limit')}`,
    );
  }
  return ok('webhook', `${where} replies to the handshake in ${milliseconds} ms (limit ${limit} ms)`);
}

function publicTarget(text: string | undefined): URL | 'bad' | undefined {
  if (text === undefined) return undefined;
  if (!URL.canParse(text)) return 'bad';
  const url = new URL(text);
  const local = url.hostname === 'localhost' || url.hostname === '[::1]' || url.hostname.startsWith('127.');
  return url.protocol === 'https:' || (url.protocol === 'http:' && local) ? url : 'bad';
}
