import { watchedExtensions } from '../../features/directory/index.ts';
import { applyMarks, changeReport, reportChanged } from '../../features/fleet/index.ts';
import { toFilters } from '../../features/live/notification/index.ts';
import {
  checkHost,
  checkPath,
  listenerReceiving,
  localUrl,
  openEventStream,
  openSink,
  parsePublicUrl,
  publicAddress,
  readTls,
  runShared,
  secretPath,
  socketReceiving,
  storedPoints,
  storeInStream,
  streamRecovery,
  subjectOf,
  subscriptionLifetimes,
  verificationToken,
  verificationTokenOf,
  WebhookReceiver,
  webSocketReceiver,
  type EventStream,
  type ReceiverDefinition,
  type SharedPlan,
  type SharedStream,
} from '../../features/live/index.ts';
import { runService, type Service } from '../../features/service/index.ts';
import { usageError } from '../../errors/command.ts';
import { isNatsUrl } from '../../platform/nats-address.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { AddedEvent } from '../../store/event-log.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { Context } from '../../runtime/context.ts';
import { rejectGiven } from '../../runtime/given-options.ts';
import { checkSocketOptions, type WebhookListenOptions } from './listen-options.ts';
import { receiverMonitor } from './receiver-metrics.ts';

type SharedOptions = WebhookListenOptions & { readonly sink: string };

const defaultRetention = 30 * 86_400;

/** `webhook listen --sink`: one process of a receiver whose events go to a store. */
export async function listenShared(ctx: Context, options: SharedOptions): Promise<void> {
  await runService(ctx, options, (service) => listen(ctx, options, service));
}

async function listen(ctx: Context, options: SharedOptions, service: Service): Promise<void> {
  checkOptions(options);
  const name = options.receiver ?? 'listen';
  if (!/^[\w.-]{1,64}$/.test(name))
    throw usageError(`--receiver: "${name}" is not a valid name`, 'use up to 64 letters, digits and - . _');
  const usesSocket = options.transport === 'websocket';
  const way = usesSocket ? socketWay(ctx) : await listenerWay(ctx, options);
  const streams = isNatsUrl(options.sink);
  const sink = await openSink(ctx, streams ? 'store' : options.sink);
  let stream: EventStream | undefined;
  try {
    if (streams) stream = await openEventStream(ctx, '--sink', options.sink, options.retain);
    const subscribes = options.subscribe !== false;
    const extensions = subscribes ? await watchedExtensions(ctx, await ctx.api(), options) : [];
    const { filters } = toFilters(options.events, {
      extensions,
      lifetimeSeconds: subscriptionLifetimes[options.transport],
    });
    const { requireKnownSchema } = await import('../../store/index.ts');
    await runShared(ctx, {
      db: sink.db,
      definition: {
        name,
        origin: originOf(ctx),
        ...way.definition,
        eventFilters: subscribes ? [...filters] : undefined,
        streams,
        fresh: { path: secretPath(), token: subscribes && !usesSocket ? verificationToken() : undefined },
      },
      api: () => ctx.api(),
      receiving: way.receiving,
      change: { event: 'messages', tables: (lanes) => changeReport('messages', lanes) },
      stream: stream && sharedStream(sink.db, stream, name),
      requireSchema: () => requireKnownSchema(sink.db),
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

/** How the processes of a receiver get events. */
interface Way {
  readonly definition: Pick<ReceiverDefinition, 'path' | 'token' | 'addressOf'>;
  readonly receiving: SharedPlan['receiving'];
}

/** Each process has a listener behind the load balancer. */
async function listenerWay(ctx: Context, options: SharedOptions): Promise<Way> {
  const publicUrl = balancerUrl(options);
  const path = options.path === undefined ? undefined : checkPath(options.path);
  const tls = await readTls(ctx, options.tlsCert, options.tlsKey);
  const host = checkHost(options.host, tls !== undefined);
  return {
    definition: {
      path,
      token: verificationTokenOf(ctx),
      addressOf: (known) => publicAddress(publicUrl, known),
    },
    receiving: (joined) =>
      listenerReceiving(
        new WebhookReceiver({
          host,
          port: options.port,
          path: joined.path,
          tls,
          verificationToken: joined.token,
          warn: (problem) => ctx.out.warn(problem),
          urlOf: (port) => localUrl(tls ? 'https' : 'http', host, port, joined.path),
          publicAddress: joined.address,
        }),
        joined,
      ),
  };
}

/**
 * Milliseconds without the service after which another process tries. With the time that this process needs to become
 * the owner, this is less than 10 s.
 */
const handoverMilliseconds = 5000;

/** One process, the owner, has a WebSocket. */
function socketWay(ctx: Context): Way {
  return {
    // The address distinguishes the receiver from a receiver with listeners.
    definition: { path: undefined, token: undefined, addressOf: () => 'websocket' },
    receiving: () =>
      socketReceiving({
        service: originOf(ctx),
        transport: (continues) => webSocketReceiver(ctx, { continues, handoverMilliseconds }),
      }),
  };
}

/** The stream as the place for the events of a receiver whose other data is in the store. */
function sharedStream(db: Postgres, stream: EventStream, receiver: string): SharedStream {
  const append = async (event: AddedEvent, last?: number): ReturnType<EventStream['publish']> => {
    const { lane, name } = subjectOf(event);
    const result = await storeInStream(stream, event, { lane, last });
    // Also for a known event: its first attempt may have failed between the stream and the store.
    if (name === 'messages') await reportChanged(db, 'messages', [lane]);
    return result;
  };
  const recovery = streamRecovery(
    storedPoints(db, receiver),
    stream,
    ({ key, raw, notification }, origin, last) =>
      append({ receiver, key, raw, origin, encrypted: !notification, notification }, last),
  );
  return { append: async (event) => ((await append(event)) === 'new' ? 'new' : 'duplicate'), recovery };
}

/** @throws {CommandError} `usage` for options that do not fit together. */
function checkOptions(options: SharedOptions): void {
  if (options.transport === 'websocket') checkSocketOptions(options);
  const shows = {
    '--count': options.count !== undefined,
    '--where': options.where !== undefined,
    '--forward-to': options.forwardTo.length > 0,
    '--exec': options.exec !== undefined,
    '--inspect': options.inspect === true,
    '--lookup': options.lookup === true,
  };
  rejectGiven(shows, (option) =>
    usageError(
      `${option} cannot be used with --sink, because the store receives the events`,
      nextStep`to process the events of a store: ${ucctl('events consume')}`,
    ),
  );
  const unused = {
    '--encrypt': options.encrypt === true,
    '--recover': options.recover === true,
    '--no-recover': options.recover === false,
    '--tunnel-command': options.tunnelCommand !== undefined,
  };
  rejectGiven(unused, (option) =>
    usageError(`${option} cannot be used with --sink`, `run the command without ${option}`),
  );
}

/** @returns the address of the load balancer. @throws {CommandError} `usage` without an address. */
function balancerUrl(options: SharedOptions): URL {
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
