import { resolve } from 'node:path';
import type { Client } from '../../client/index.ts';
import type { Notification, Subscription } from '../../contract/subscription.ts';
import { MemoryInbox, secretPath, startListener, type Listener } from '../../features/inbox/index.ts';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import { ownProcess } from '../../platform/own-process.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../runtime/errors.ts';
import { checkHost, checkPath, localUrl, parsePublicUrl, publicAddress } from './address.ts';
import { holdSubscription } from './held-subscription.ts';
import { checkedEvents, filtersFor, readNames } from './listen-plan.ts';
import { notificationView } from './notification-view.ts';
import { openSubscription } from './open-subscription.ts';

export interface WebhookListenOptions {
  readonly events: readonly string[];
  readonly extension: readonly string[];
  readonly port: number;
  readonly host: string;
  readonly publicUrl?: string;
  readonly path?: string;
  readonly readyFile?: string;
  readonly subscribe?: boolean;
  readonly count?: number;
}

/** Time for answers under way when the listener ends. */
const drain = 5000;

/** What one run of the listener shares. */
interface Session {
  readonly ctx: Context;
  readonly options: WebhookListenOptions;
  readonly inbox: MemoryInbox;
  readonly url: string;
  readonly address: string;
  readonly handshakes: () => number;
}

/** `webhook listen`: receive, accept, show; until Ctrl-C, `--count`, or the reader of the output is gone. */
export async function listenWebhook(ctx: Context, options: WebhookListenOptions): Promise<void> {
  const events = checkedEvents(options);
  const host = checkHost(options.host);
  const path = options.path === undefined ? secretPath() : checkPath(options.path);
  const publicUrl = options.publicUrl === undefined ? undefined : parsePublicUrl(options.publicUrl);
  const api = await ctx.api();
  const inbox = new MemoryInbox();
  let handshakes = 0;
  const listener = await start(host, options.port, {
    path,
    inbox,
    verificationToken: ctx.env['UCCTL_VERIFICATION_TOKEN'],
    onHandshake: () => {
      handshakes += 1;
    },
  });
  const end = (): void => inbox.close();
  ctx.signal.addEventListener('abort', end);
  try {
    const url = localUrl(host, listener.port, path);
    const address = publicUrl ? publicAddress(publicUrl, path) : url;
    await serve({ ctx, options, inbox, url, address, handshakes: () => handshakes }, api, events);
  } finally {
    ctx.signal.removeEventListener('abort', end);
    inbox.close();
    await listener.close(drain);
  }
}

async function start(
  host: string,
  port: number,
  settings: Omit<Parameters<typeof startListener>[0], 'host' | 'port'>,
): Promise<Listener> {
  try {
    return await startListener({ ...settings, host, port });
  } catch (cause) {
    const busy = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
    const message = busy ? `port ${port} of ${host} is in use` : `cannot listen on ${host}, port ${port}`;
    throw new CommandError('cannot_listen', Exit.local, message, {
      hint: 'choose another with --port, or --port 0 for any free one',
      cause,
    });
  }
}

async function serve(session: Session, api: Client, events: readonly string[]): Promise<void> {
  const { ctx, options } = session;
  if (options.subscribe === false) return show(session, api, undefined);
  const eventFilters = await filtersFor(ctx, api, events, options.extension);
  const subscription = await openSubscription(
    api,
    { eventFilters, address: session.address, verificationToken: ctx.env['UCCTL_VERIFICATION_TOKEN'] },
    ctx.signal,
  );
  const held = holdSubscription(ctx, api, subscription);
  try {
    if (session.handshakes() === 0) throw unseen(session.address);
    await show(session, api, subscription);
  } finally {
    await held.release();
  }
}

/** Someone else answered for this address: events would go there. */
function unseen(address: string): CommandError {
  return new CommandError(
    'handshake_missing',
    Exit.failed,
    `the service accepted ${address}, but its handshake did not reach this listener`,
    { hint: 'the address leads somewhere else; check --public-url and the tunnel' },
  );
}

async function show(session: Session, api: Client, subscription: Subscription | undefined): Promise<void> {
  const { ctx } = session;
  const view = notificationView(await readNames(ctx, api));
  await announce(session, subscription);
  await ctx.out.stream(notifications(session), view);
}

/** Tells people and scripts that events arrive from now on. */
async function announce(session: Session, subscription: Subscription | undefined): Promise<void> {
  const { ctx, options, url, address } = session;
  if (options.readyFile !== undefined) {
    const ready = {
      url,
      address,
      subscriptionId: subscription?.id ?? null,
      eventFilters: subscription?.eventFilters ?? [],
      pid: ownProcess.pid,
    };
    await writeFileAtomic(resolve(ctx.cwd, options.readyFile), `${JSON.stringify(ready)}\n`);
  }
  ctx.out.note(
    subscription
      ? `ready: ${address}, subscription ${subscription.id}; Ctrl-C ends`
      : `listening on ${url}, any handshake is answered; Ctrl-C ends`,
  );
}

async function* notifications({ inbox, options }: Session): AsyncGenerator<Notification, void, undefined> {
  let left = options.count ?? Number.POSITIVE_INFINITY;
  for await (const { notification } of inbox.read()) {
    yield notification;
    left -= 1;
    if (left <= 0) return;
  }
}
