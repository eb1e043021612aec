import type { Context } from '../../../runtime/context.ts';
import { usageError } from '../../../errors/command.ts';
import { nextStep, ucctl } from '../../../errors/hint.ts';
import { eventNames, isEventName } from '../notification/event-kinds.ts';
import { commandTarget, forwardTarget, type Target } from './target.ts';
import { isChatWebhook, maskUserInfo } from '../../../platform/user-info.ts';

/** Creates the targets of `--forward-to` and `--exec`. @throws {CommandError} `usage`. */
export async function targetsOf(
  ctx: Context,
  forwardTo: readonly string[],
  command: string | undefined,
): Promise<readonly Target[]> {
  // The shell would accept an empty command, so each event would count as delivered.
  if (command?.trim() === '')
    throw usageError(
      '--exec: the command is empty',
      'specify a shell command, such as "cat >> events.ndjson"',
    );
  const routes = forwardTo.map(readRoute);
  const http = routes.length > 0 ? await ctx.http() : undefined;
  return [
    ...routes.flatMap(({ only, url }) => (http ? [forwardTarget(url, only, http)] : [])),
    ...(command === undefined ? [] : [commandTarget(command, ctx.env, ctx.cwd)]),
  ];
}

/** Returns the target with the name of a stored delivery. @throws {CommandError} `usage`. */
export async function targetNamed(ctx: Context, name: string): Promise<Target> {
  const command = /^exec:(.*)$/s.exec(name)?.[1];
  const [target] = await targetsOf(ctx, command === undefined ? [name] : [], command);
  if (!target)
    throw usageError(
      `"${maskUserInfo(name)}" is not a valid target`,
      'use a target such as http://localhost:3000/hook',
    );
  return target;
}

function readRoute(text: string): { readonly only: string | undefined; readonly url: URL } {
  const [, name, address = ''] = /^(?:([a-z]+(?::[a-z]+)?)=)?(https?:\/\/.+)$/.exec(text) ?? [];
  if (!URL.canParse(address)) {
    throw usageError(
      `--forward-to: "${maskUserInfo(text)}" does not have the form [EVENT=]URL`,
      'specify a URL, such as http://localhost:3000/hook or messages=http://localhost:3000/hook',
    );
  }
  if (name !== undefined && name !== 'reminder' && !isEventName(name))
    throw usageError(
      `--forward-to: "${name}" is not a valid event`,
      `use one of: ${[...eventNames, 'reminder'].join(', ')}`,
    );
  const url = new URL(address);
  // The older form of these addresses, without /v2, is also common among other receivers.
  if (isChatWebhook(url.pathname))
    throw usageError(
      `--forward-to: the address at ${url.host} is a chat webhook, which accepts posts and no events`,
      nextStep`to post the line of each event, use --exec with this command: ${ucctl('webhook post ID -- "$UCCTL_DETAILS"')}`,
    );
  return { only: name, url };
}
