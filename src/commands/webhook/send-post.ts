import type { ChatPost } from '../../contract/chat.ts';
import { CommandError, Exit, type ExitCode } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { errorIn } from '../../platform/error-body.ts';
import { isJsonType } from '../../platform/json-type.ts';
import type { Context } from '../../runtime/context.ts';

/** Statuses of gateway timeouts: the message may have been posted. */
const gatewayTimeouts: ReadonlySet<number> = new Set([408, 499]);

const rejections: Readonly<Record<number, { readonly code: string; readonly exit: ExitCode }>> = {
  404: { code: 'not_found', exit: Exit.notFound },
  429: { code: 'rate_limited', exit: Exit.rateLimited },
};

/**
 * Sends a post without an Authorization header, because the address is the credential.
 * @throws {CommandError} if no reply confirms the post.
 */
export async function sendPost(ctx: Context, url: URL, post: ChatPost): Promise<void> {
  const http = await ctx.http();
  const reply = await http({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(post),
    signal: ctx.signal,
    freshConnection: true,
    timeoutMilliseconds: ctx.settings.timeoutSeconds.value * 1000,
  }).catch((error: unknown) => {
    throw explained(error);
  });
  const text = await reply.text().catch((error: unknown) => {
    if (reply.status >= 400) return '';
    throw unknownOutcome('the reply was incomplete', error);
  });
  if (reply.status < 300) {
    // Another success status, such as 202, says only that something received the request.
    const mayConfirm = reply.status === 200 || reply.status === 201;
    if (mayConfirm && isJsonType(reply.header('content-type')) && isPosted(text)) return;
    throw unknownOutcome(
      `the service returned HTTP ${reply.status}, but the body of the reply does not confirm the post`,
    );
  }
  // Redirects are not followed; like server errors, they do not show whether the message was posted.
  const isUnclear = reply.status >= 500 || reply.status < 400 || gatewayTimeouts.has(reply.status);
  if (isUnclear) throw unknownOutcome(`the service returned HTTP ${reply.status}`);
  const { code, exit } = rejections[reply.status] ?? { code: 'post_rejected', exit: Exit.failed };
  throw new CommandError(code, exit, `the service rejected the post (HTTP ${reply.status})`, {
    details: [reasonOf(text)].filter((reason) => reason !== ''),
    ...(reply.status === 429 && {
      hint: 'wait a minute and retry; nothing was posted',
      retryable: true,
    }),
    ...(reply.status === 404 && {
      hint: nextStep`the webhook may have been deleted; to list your webhooks: ${ucctl('webhook list')}`,
    }),
    ...(reply.status === 403 && {
      hint: nextStep`the webhook may be suspended; to activate it: ${ucctl('webhook activate ID')}`,
    }),
  });
}

/**
 * Returns whether the body of a reply confirms the post: `{"status":"OK"}` or an object with `id`
 * (docs/adr/0097-receipt-of-a-chat-post.md). Any server can send a success status or an empty body.
 */
function isPosted(text: string): boolean {
  try {
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (errorIn(body) !== undefined) return false;
    const { status, id } = body;
    const isOk = typeof status === 'string' && /^ok$/i.test(status);
    return isOk || (typeof id === 'string' && id.trim() !== '') || (typeof id === 'number' && id > 0);
  } catch {
    return false;
  }
}

/** Returns `outcome_unknown` (exit 14) for a failed connection over which the request may have arrived. */
function explained(error: unknown): unknown {
  return reachedOf(error) === 'unknown' ? unknownOutcome('no reply from the service', error) : error;
}

/** Whether the request of a failed connection has arrived, `no` or `unknown`; undefined for any other error. */
export function reachedOf(error: unknown): unknown {
  return error instanceof Error && 'reached' in error ? error.reached : undefined;
}

function unknownOutcome(why: string, cause?: unknown): CommandError {
  return new CommandError(
    'outcome_unknown',
    Exit.outcomeUnknown,
    `${why}: the service may have posted the message`,
    {
      hint: 'check the chat group before you post again; ucctl cannot look up posts',
      cause,
    },
  );
}

function reasonOf(text: string): string {
  try {
    const value = JSON.parse(text) as { message?: unknown };
    return typeof value.message === 'string' ? value.message : '';
  } catch {
    return '';
  }
}
