import { watchedExtensions } from '../../features/directory/index.ts';
import { knownExtensions, readExtensions } from '../../features/known-values/index.ts';
import { checkEvents, toFilters } from '../../features/live/notification/index.ts';
import {
  checkHost,
  checkPath,
  localUrl,
  offersAll,
  openEventStream,
  openTunnel,
  parsePublicUrl,
  publicAddress,
  readTls,
  removeStaleReadyFile,
  runLive,
  secretPath,
  storeInStream,
  subscriptionLifetimes,
  targetsOf,
  WebhookReceiver,
  verificationTokenOf,
  webSocketReceiver,
  whereOf,
  type EventStream,
} from '../../features/live/index.ts';
import { usageError } from '../../errors/command.ts';
import { isNatsUrl } from '../../platform/nats-address.ts';
import type { Context } from '../../runtime/context.ts';
import { rejectGiven } from '../../runtime/given-options.ts';
import { checkSocketOptions, type WebhookListenOptions } from './listen-options.ts';

/**
 * `webhook listen`: receives, stores, acknowledges, shows and forwards events until Ctrl-C, until `--count` is reached,
 * or until the program that reads stdout exits.
 */
export async function listenWebhook(ctx: Context, options: WebhookListenOptions): Promise<void> {
  await removeStaleReadyFile(ctx, options.readyFile);
  const events = options.events.length > 0 ? options.events : ['messages'];
  const lifetimeSeconds = subscriptionLifetimes[options.transport];
  checkEvents(events, lifetimeSeconds, options);
  const streams = options.sink !== undefined && isNatsUrl(options.sink);
  if (options.sink !== undefined && (!streams || ctx.settings.storeUrl.value !== undefined)) {
    const { listenShared } = await import('./listen-shared.ts');
    return listenShared(ctx, { ...options, events, sink: options.sink });
  }
  if (options.retain !== undefined && !streams)
    throw usageError('--retain can be used only with --sink', 'add --sink, or omit --retain');
  const ofStore = {
    '--receiver': options.receiver !== undefined,
    '--metrics-port': options.metricsPort !== undefined,
  };
  rejectGiven(ofStore, (option) =>
    usageError(
      `${option} can be used only with ${streams ? 'a PostgreSQL store' : '--sink'}`,
      `${streams ? 'use --store postgres://USER@HOST/DATABASE' : 'add --sink'}, or omit ${option}`,
    ),
  );
  const stream =
    options.sink === undefined
      ? undefined
      : await openEventStream(ctx, '--sink', options.sink, options.retain);
  try {
    await listenAlone(ctx, { ...options, events }, stream);
  } finally {
    await stream?.close();
  }
}

/** Receives events on this machine only. With a stream, each event is in the stream before it is acknowledged. */
async function listenAlone(
  ctx: Context,
  options: WebhookListenOptions,
  stream: EventStream | undefined,
): Promise<void> {
  const { events } = options;
  const lifetimeSeconds = subscriptionLifetimes[options.transport];
  if (options.transport === 'websocket') checkSocketOptions(options);
  const transport =
    options.transport === 'websocket'
      ? await webSocketReceiver(ctx)
      : new WebhookReceiver(await receiverOptions(ctx, options));
  const where = await whereOf(ctx, options.where);
  const targets = await targetsOf(ctx, options.forwardTo, options.exec);
  const subscribes = options.subscribe !== false;
  const extensions = subscribes ? await watchedExtensions(ctx, await ctx.api(), options) : [];
  const { filters } = toFilters(events, { extensions, lifetimeSeconds });
  await runLive(ctx, {
    api: () => ctx.api(),
    request: subscribes ? { eventFilters: [...filters] } : undefined,
    encryption: options.encrypt ?? false,
    transport,
    receiver: 'listen',
    keepSubscription: false,
    // With --count, the user waits for new events, not for missed events.
    recover: options.recover ?? options.count === undefined,
    targets,
    where,
    count: options.count,
    // With --no-subscribe, no sign-in is needed, and the names of extensions must not require a sign-in.
    extensions: async () => {
      const needsNames = ctx.out.isTerminal || options.exec !== undefined;
      if (!needsNames || !subscribes) return knownExtensions(ctx);
      const api = await ctx.api();
      return readExtensions(ctx, () => api.extensions.list({}, { signal: ctx.signal }));
    },
    lookup: options.lookup ?? (ctx.out.isTerminal && ctx.out.format === 'table' && subscribes),
    offersAll: offersAll(ctx, options),
    inspect: options.inspect ?? false,
    alsoStore: stream && ((event) => storeInStream(stream, event)),
    readyFile: options.readyFile,
  });
}

async function receiverOptions(ctx: Context, options: WebhookListenOptions) {
  const tls = await readTls(ctx, options.tlsCert, options.tlsKey);
  const host = checkHost(options.host, tls !== undefined);
  const path = options.path === undefined ? secretPath() : checkPath(options.path);
  const publicUrl =
    options.publicUrl === undefined
      ? undefined
      : parsePublicUrl(options.publicUrl, options.development ?? false);
  return {
    host,
    port: options.port,
    path,
    tls,
    verificationToken: verificationTokenOf(ctx),
    warn: (problem: string) => ctx.out.warn(problem),
    urlOf: (port: number) => localUrl(tls ? 'https' : 'http', host, port, path),
    publicAddress: publicUrl && publicAddress(publicUrl, path),
    tunnelTo: tunnelOf(ctx, options),
  };
}

function tunnelOf(ctx: Context, { tunnelCommand, development }: WebhookListenOptions) {
  if (tunnelCommand === undefined) return undefined;
  return (port: number, onEnd: (error: Error) => void) =>
    openTunnel({
      command: tunnelCommand,
      port,
      env: ctx.env,
      cwd: ctx.cwd,
      development: development ?? false,
      signal: ctx.signal,
      onEnd,
    });
}
