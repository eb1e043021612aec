import { comparablePath } from '../../platform/request-path.ts';
import { sendingPath } from '../../platform/sending-paths.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import type { Target } from './target.ts';

/** Headers that are ours to set, or that would make another request of this one. */
const reserved = new Set([
  'authorization',
  'connection',
  'content-length',
  'host',
  'proxy-authorization',
  'transfer-encoding',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
]);

/** `NAME:VALUE` pairs by lower-case name. @throws {CommandError} `usage`. */
export function readHeaders(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([^\r\n\0]*)$/.exec(text) ?? [];
      if (name === '') throw usageError(`--header takes NAME:VALUE, not "${text}"`);
      // Bytes that HTTP allows (RFC 9110, 5.5): the network refuses others only when it is about to send.
      if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
        throw usageError(`--header ${name}: its value has characters that no header can carry`);
      if (reserved.has(name.toLowerCase())) throw usageError(`--header ${name} cannot be set`);
      return [name.toLowerCase(), value];
    }),
  );
}

/**
 * Asks before what spends or rings, as the commands for it do, and keeps a whole mailbox from going by accident.
 * @throws {CommandError} `refused`, `declined` or `confirmation_needed` (exit 9).
 */
export async function guard(
  ctx: Context,
  target: Target,
  hasBody: boolean,
  wholeMailbox: boolean,
): Promise<void> {
  const path = comparablePath(target.path);
  if (target.method === 'DELETE' && isWholeMailbox(path, target, hasBody)) {
    if (!wholeMailbox) {
      throw new CommandError('refused', Exit.refused, 'this would delete every message of the mailbox', {
        hint: 'name ids or a filter such as conversationId or dateTo; --whole-mailbox --yes means it',
      });
    }
    await confirm(ctx, 'Delete every message of this mailbox?');
  }
  const question = sendingPath(path)?.question;
  if (target.method === 'POST' && question !== undefined) await confirm(ctx, question);
}

function isWholeMailbox(path: string, { query }: Target, hasBody: boolean): boolean {
  const [, ids] = /\/message-store(?:\/([^/]*))?$/.exec(path) ?? [];
  if (!/\/message-store(\/[^/]*)?$/.test(path)) return false;
  if (ids !== undefined && /[a-z0-9]/.test(ids)) return false;
  // Ids in a body stand for the `*` of the path only.
  if (ids === '*') return !hasBody;
  return !Object.entries(query).some(([name, values]) => filters[name]?.(values));
}

/** What narrows a DELETE of a message store, and which of its values really do. */
const filters: Readonly<Record<string, (values: readonly string[]) => boolean>> = {
  conversationId: hasId,
  messageId: hasId,
  dateTo: (values) => values.length > 0 && values.every((value) => !Number.isNaN(Date.parse(value))),
  type: (values) => {
    const types = values.flatMap((value) => value.split(',')).map((value) => value.trim());
    return types.some((type) => /^[a-z]+$/i.test(type)) && !types.some((type) => /^all$/i.test(type));
  },
};

function hasId(values: readonly string[]): boolean {
  return values.some((value) => /[a-z0-9]/i.test(value));
}

async function confirm(ctx: Context, question: string): Promise<void> {
  if (ctx.dryRun || (await ctx.prompt.confirm(question))) return;
  throw new CommandError('declined', Exit.refused, 'not confirmed; nothing was sent');
}
