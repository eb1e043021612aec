import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Context } from '../../runtime/context.ts';
import { messageOf, usageError } from '../../errors/command.ts';
import { isEventName } from './events/names.ts';
import { commandTarget, forwardTarget, type Target } from './target.ts';

/** Reads `--forward-to` and `--exec`. @throws {CommandError} `usage`. */
export async function targetsOf(
  ctx: Context,
  forwardTo: readonly string[],
  command: string | undefined,
): Promise<readonly Target[]> {
  const routes = forwardTo.map(readRoute);
  const http = routes.length > 0 ? await ctx.http() : undefined;
  return [
    ...routes.flatMap(({ only, url }) => (http ? [forwardTarget(url, only, http)] : [])),
    ...(command === undefined ? [] : [commandTarget(command, ctx.env, ctx.cwd)]),
  ];
}

/** The target that a stored delivery names. */
export async function targetNamed(ctx: Context, name: string): Promise<Target> {
  const command = /^exec:(.*)$/s.exec(name)?.[1];
  const [target] = await targetsOf(ctx, command === undefined ? [name] : [], command);
  if (!target) throw usageError(`${name} is no target`);
  return target;
}

function readRoute(text: string): { readonly only: string | undefined; readonly url: URL } {
  const [, name, address = ''] = /^(?:([a-z]+(?::[a-z]+)?)=)?(https?:\/\/.+)$/.exec(text) ?? [];
  if (!URL.canParse(address) || (name !== undefined && name !== 'reminder' && !isEventName(name))) {
    throw usageError(
      `--forward-to: "${text}" is not [EVENT=]URL`,
      'for example http://localhost:3000/hook, or messages=http://localhost:3000/hook',
    );
  }
  return { only: name, url: new URL(address) };
}

/**
 * The service's word for its hosted channel, by the profile's dialect.
 * @throws {CommandError} for one whose protocol this tool does not speak.
 */
export function channelTransportType(ctx: Context): 'ChannelService' | 'PubNub' {
  const name = ctx.settings.channelTransport.value;
  if (name === 'ChannelService' || name === 'PubNub') return name;
  throw usageError(`the channel "${name}" of this deployment is not spoken here`, 'use --transport webhook');
}

/** Where the hosted channel is served: `--channel-url`, else the address of the service. @throws {CommandError} */
export function channelOrigin(ctx: Context, url: string | undefined): URL {
  const text = url ?? ctx.settings.baseUrl.value ?? '';
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw usageError(`--channel-url: "${text}" is not an address`);
}

/** Reads `--tls-cert` and `--tls-key`, PEM files. @throws {CommandError} `usage`. */
export async function readTls(
  ctx: Context,
  cert: string | undefined,
  key: string | undefined,
): Promise<{ readonly cert: string; readonly key: string } | undefined> {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw usageError('--tls-cert and --tls-key go together');
  try {
    const read = (file: string): Promise<string> => readFile(resolve(ctx.cwd, file), 'utf8');
    const tls = { cert: await read(cert), key: await read(key) };
    // Says now, and in words, what is no certificate or not its key.
    createSecureContext(tls);
    return tls;
  } catch (error) {
    throw usageError(`the certificate cannot be used: ${messageOf(error)}`);
  }
}
