import { webhookSubscriptionSeconds } from '../../contract/limits.ts';
import { extensionIds, extensionNames } from '../../features/directory/index.ts';
import { checkEvents, toFilters } from '../../features/live/notification/index.ts';
import {
  checkHost,
  checkPath,
  compileWhere,
  localUrl,
  openTunnel,
  parsePublicUrl,
  publicAddress,
  readTls,
  runLive,
  secretPath,
  targetsOf,
  WebhookReceiver,
  verificationTokenOf,
} from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { LiveOptions } from '../../runtime/live-options.ts';

export interface WebhookListenOptions extends LiveOptions {
  readonly events: readonly string[];
  readonly host: string;
  readonly publicUrl?: string;
  readonly tunnelCommand?: string;
  readonly path?: string;
  readonly subscribe?: boolean;
  readonly recover?: boolean;
  readonly development?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** `webhook listen`: receive, store, acknowledge, then show and hand on; until Ctrl-C, `--count`, or the reader of the output is gone. */
export async function listenWebhook(ctx: Context, options: WebhookListenOptions): Promise<void> {
  const events = options.events.length > 0 ? options.events : ['messages'];
  const lifetimeSeconds = webhookSubscriptionSeconds.default;
  checkEvents(events, lifetimeSeconds);
  const transport = new WebhookReceiver(await receiverOptions(ctx, options));
  const where = options.where === undefined ? undefined : await compileWhere(options.where);
  const targets = await targetsOf(ctx, options.forwardTo, options.exec);
  const subscribes = options.subscribe !== false;
  const extensions = subscribes ? await extensionIds(await ctx.api(), options.extension, ctx.signal) : [];
  const { filters } = toFilters(events, { extensions, lifetimeSeconds });
  await runLive(ctx, {
    api: () => ctx.api(),
    request: subscribes ? { eventFilters: [...filters] } : undefined,
    encryption: options.encrypt ?? false,
    transport,
    receiver: 'listen',
    keep: false,
    // Who asks for so many events means the next ones.
    recover: options.recover ?? options.count === undefined,
    targets,
    where,
    count: options.count,
    // Names are no reason to ask for a sign-in that nothing else needs.
    names: async () =>
      ctx.out.isTerminal && subscribes
        ? extensionNames(await ctx.api(), ctx.signal)
        : new Map<string, string>(),
    inspect: options.inspect ?? false,
    readyFile: options.readyFile,
  });
}

async function receiverOptions(ctx: Context, options: WebhookListenOptions) {
  const tls = await readTls(ctx, options.tlsCert, options.tlsKey);
  const host = checkHost(options.host, tls !== undefined);
  const path = options.path === undefined ? secretPath() : checkPath(options.path);
  const shown =
    options.publicUrl === undefined
      ? undefined
      : parsePublicUrl(options.publicUrl, options.development ?? false);
  return {
    host,
    port: options.port,
    path,
    tls,
    verificationToken: verificationTokenOf(ctx),
    urlOf: (port: number) => localUrl(tls ? 'https' : 'http', host, port, path),
    publicAddress: shown && publicAddress(shown, path),
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
