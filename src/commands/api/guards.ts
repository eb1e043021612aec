import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../runtime/errors.ts';
import type { Target } from './target.ts';

const spending: readonly (readonly [RegExp, string])[] = [
  [/\/sms$/, 'Send this text?'],
  [/\/company-pager$/, 'Send this page?'],
  [/\/fax$/, 'Send this fax?'],
  [/\/ring-?out$/, 'Place this call?'],
];

/** Headers that are ours to set, or that would make another request of this one. */
const reserved = new Set([
  'authorization',
  'connection',
  'content-length',
  'host',
  'proxy-authorization',
  'transfer-encoding',
  'x-http-method-override',
]);

/** `NAME:VALUE` pairs by lower-case name. @throws {CommandError} `usage`. */
export function readHeaders(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([^\r\n\0]*)$/.exec(text) ?? [];
      if (name === '') throw usageError(`--header takes NAME:VALUE, not "${text}"`);
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
  const path = target.path.replace(/\/+$/, '');
  if (target.method === 'DELETE' && isWholeMailbox(path, target, hasBody)) {
    if (!wholeMailbox) {
      throw new CommandError('refused', Exit.refused, 'this would delete every message of the mailbox', {
        hint: 'name ids or a filter such as conversationId or dateTo; --whole-mailbox --yes means it',
      });
    }
    await confirm(ctx, 'Delete every message of this mailbox?');
  }
  const question = spending.find(([pattern]) => pattern.test(path))?.[1];
  if (target.method === 'POST' && question) await confirm(ctx, question);
}

function isWholeMailbox(path: string, { query }: Target, hasBody: boolean): boolean {
  const filters = ['conversationId', 'dateTo', 'type', 'messageId'].filter((name) =>
    query[name]?.some((value) => value !== ''),
  );
  const isEverything = query['type']?.every((value) => value === 'All') ?? true;
  const isFiltered = filters.some((name) => name !== 'type') || (filters.includes('type') && !isEverything);
  if (path.endsWith('/message-store')) return !isFiltered;
  return /\/message-store\/(\*|%2a)$/i.test(path) && !hasBody;
}

async function confirm(ctx: Context, question: string): Promise<void> {
  if (ctx.dryRun || (await ctx.prompt.confirm(question))) return;
  throw new CommandError('declined', Exit.refused, 'not confirmed; nothing was sent');
}
