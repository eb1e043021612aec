import { comparablePath } from '../../platform/request-path.ts';
import { sendingPath } from '../../platform/sending-paths.ts';
import type { Context } from '../../runtime/context.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import type { Target } from './target.ts';

/** Headers that ucctl sets itself, and headers that would change the method of the request. */
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
      if (name === '') throw usageError(`--header "${text}" is not a valid header`, 'use NAME:VALUE');
      // Bytes that HTTP allows (RFC 9110, 5.5). Checked here, because the HTTP client rejects other bytes only when
      // it sends the request.
      if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
        throw usageError(
          `--header ${name}: the value contains characters that HTTP does not allow in a header`,
          'use only visible ASCII or Latin-1 characters, spaces and tabs',
        );
      if (reserved.has(name.toLowerCase()))
        throw usageError(`--header ${name} is not allowed: ucctl sets this header`, 'remove the header');
      return [name.toLowerCase(), value];
    }),
  );
}

/**
 * Asks for confirmation before a message or call, as the commands for messages and calls do. Prevents the accidental
 * deletion of a whole mailbox.
 * @throws {CommandError} `blocked`, `declined` or `confirmation_needed` (exit 9).
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
      throw new CommandError(
        'blocked',
        Exit.blocked,
        'this request would delete all messages in the mailbox',
        {
          hint: 'add IDs or a filter such as conversationId or dateTo; to delete all messages, add --whole-mailbox --yes',
        },
      );
    }
    await requireConfirmation(ctx, 'Delete all messages in this mailbox?', 'nothing was deleted');
  }
  const question = sendingPath(path)?.question;
  if (target.method === 'POST' && question !== undefined)
    await requireConfirmation(ctx, question, 'nothing was sent');
}

function isWholeMailbox(path: string, { query }: Target, hasBody: boolean): boolean {
  const [, ids] = /\/message-store(?:\/([^/]*))?$/.exec(path) ?? [];
  if (!/\/message-store(\/[^/]*)?$/.test(path)) return false;
  if (ids !== undefined && /[a-z0-9]/.test(ids)) return false;
  // The service reads message IDs from the body only if the path contains `*` instead of IDs.
  if (ids === '*') return !hasBody;
  return !Object.entries(query).some(([name, values]) => filters.get(name)?.(values));
}

/**
 * Query parameters that limit which messages a DELETE removes. Each function checks whether the values of its parameter
 * limit the messages.
 */
const filters: ReadonlyMap<string, (values: readonly string[]) => boolean> = new Map([
  ['conversationId', hasId],
  ['messageId', hasId],
  ['dateTo', (values) => values.length > 0 && values.every((value) => !Number.isNaN(Date.parse(value)))],
  ['type', hasTypes],
]);

function hasTypes(values: readonly string[]): boolean {
  const types = values.flatMap((value) => value.split(',')).map((value) => value.trim());
  return types.some((type) => /^[a-z]+$/i.test(type)) && !types.some((type) => /^all$/i.test(type));
}

function hasId(values: readonly string[]): boolean {
  return values.some((value) => /[a-z0-9]/i.test(value));
}
