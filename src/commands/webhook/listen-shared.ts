import { watchedExtensions } from '../../features/directory/index.ts';
import { applyMarks, changeReport, reportChanged } from '../../features/fleet/index.ts';
import { toFilters } from '../../features/live/notification/index.ts';
import {
  checkHost,
  checkPath,
  localUrl,
  openEventStream,
  openSink,
  parsePublicUrl,
  publicAddress,
  readTls,
  runShared,
  secretPath,
  storedPoints,
  streamedEvent,
  streamRecovery,
  subjectOf,
  subscriptionLifetimes,
  verificationToken,
  verificationTokenOf,
  WebhookReceiver,
  type EventStream,
  type SharedStream,
} from '../../features/live/index.ts';
import { runService, type Service } from '../../features/service/index.ts';
import { usageError } from '../../errors/command.ts';
import { isNatsUrl } from '../../platform/nats-address.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { AddedEvent } from '../../store/event-log.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { Context } from '../../runtime/context.ts';
import type { WebhookListenOptions } from './listen-options.ts';
import { receiverMonitor } from './receiver-metrics.ts';

type SharedOptions = WebhookListenOptions & { readonly sink: string };

const defaultRetention = 30 * 86_400;

/** `webhook listen --sink`: one process of a receiver whose events go to a store. */
export async function listenShared(ctx: Context, options: SharedOptions): Promise<void> {
  await runService(ctx, options, (service) => listen(ctx, options, service));
}

async function listen(ctx: Context, options: SharedOptions, service: Service): Promise<void> {
  const publicUrl = checkOptions(options);
  const name = options.receiver ?? 'listen';
  if (!/^[\w.-]{1,64}$/.test(name))
    throw usageError(`--receiver: "${name}" is not a valid name`, 'use up to 64 letters, digits and - . _');
  const path = options.path === undefined ? undefined : checkPath(options.path);
  const tls = await readTls(ctx, options.tlsCert, options.tlsKey);
  const host = checkHost(options.host, tls !== undefined);
  const token = verificationTokenOf(ctx);
  const streams = isNatsUrl(options.sink);
  const sink = await openSink(ctx, streams ? 'store' : options.sink);
  let stream: EventStream | undefined;
  try {
    if (streams) stream = await openEventStream(ctx, '--sink', options.sink, options.retain);
    const subscribes = options.subscribe !== false;
    const extensions = subscribes ? await watchedExtensions(await ctx.api(), options, ctx.signal) : [];
    const { filters } = toFilters(options.events, {
      extensions,
      lifetimeSeconds: subscriptionLifetimes.webhook,
    });
    await runShared(ctx, {
      db: sink.db,
      definition: {
        name,
        origin: originOf(ctx),
        path,
        token,
        addressOf: (known) => publicAddress(publicUrl, known),
        eventFilters: subscribes ? [...filters] : undefined,
        fresh: { path: secretPath(), token: subscribes ? verificationToken() : undefined },
      },
      api: () => ctx.api(),
      transport: (joined) =>
        new WebhookReceiver({
          host,
          port: options.port,
          path: joined.path,
          tls,
          verificationToken: joined.token,
          urlOf: (port) => localUrl(tls ? 'https' : 'http', host, port, joined.path),
          publicAddress: joined.address,
        }),
      change: { event: 'messages', tables: (lanes) => changeReport('messages', lanes) },
      stream: stream && sharedStream(sink.db, stream, name),
      onTick: () => applyMarks(sink.db),
      monitor: receiverMonitor(service, sink.db, { receiver: name, subscribes, stream }),
      retainSeconds: options.retain ?? defaultRetention,
      readyFile: options.readyFile,
    });
  } finally {
    await stream?.close();
    await sink.close();
  }
}

/** The stream as the place for the events of a receiver whose other data is in the store. */
function sharedStream(db: Postgres, stream: EventStream, receiver: string): SharedStream {
  const append = async (event: AddedEvent): Promise<'new' | 'duplicate'> => {
    const { lane, name } = subjectOf(event);
    const result = await stream.publish(streamedEvent(event, lane));
    // Also for a known event: its first attempt may have failed between the stream and the store.
    if (name === 'messages') await reportChanged(db, 'messages', [lane]);
    return result;
  };
  const recovery = streamRecovery(storedPoints(db, receiver), stream, ({ key, raw, notification }, origin) =>
    append({ receiver, key, raw, origin, encrypted: !notification, notification }),
  );
  return { append, recovery };
}

/** @returns the address of the load balancer. @throws {CommandError} `usage` for options that do not fit together. */
function checkOptions(options: SharedOptions): URL {
  if (options.transport === 'websocket')
    throw usageError('--sink cannot be used with --transport websocket', 'use --transport webhook');
  const shows = {
    '--count': options.count !== undefined,
    '--where': options.where !== undefined,
    '--forward-to': options.forwardTo.length > 0,
    '--exec': options.exec !== undefined,
    '--inspect': options.inspect === true,
    '--lookup': options.lookup === true,
  };
  for (const [flag, isGiven] of Object.entries(shows)) {
    if (isGiven)
      throw usageError(
        `${flag} cannot be used with --sink, because the store receives the events`,
        nextStep`to process the events of a store: ${ucctl('events consume')}`,
      );
  }
  const unused = {
    '--encrypt': options.encrypt === true,
    '--recover': options.recover === true,
    '--no-recover': options.recover === false,
    '--tunnel-command': options.tunnelCommand !== undefined,
  };
  for (const [flag, isGiven] of Object.entries(unused))
    if (isGiven) throw usageError(`${flag} cannot be used with --sink`, `run the command without ${flag}`);
  if (options.publicUrl === undefined)
    throw usageError(
      '--sink needs --public-url',
      'specify the address of the load balancer, which forwards to all receivers',
    );
  return parsePublicUrl(options.publicUrl, options.development ?? false);
}

function originOf({ settings }: Context): string {
  const base = settings.baseUrl.value;
  return base !== undefined && URL.canParse(base) ? new URL(base).origin : '';
}
