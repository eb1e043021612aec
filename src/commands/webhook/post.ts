import type { ChatCard, ChatPost } from '../../contract/chat.ts';
import { readTextFile } from '../../features/bulk/index.ts';
import { createRecorder, openSendJournal } from '../../features/outcome-journal/index.ts';
import { postProblems, readPost } from '../../features/chat-post/index.ts';
import { isLoopback } from '../../platform/base-url.ts';
import { errorIn } from '../../platform/error-body.ts';
import { isJsonType } from '../../platform/json-type.ts';
import { withLineFeeds } from '../../platform/line-feeds.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, type ExitCode, notFoundError, usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { isMissingResource } from '../../errors/service-codes.ts';
import { secretName } from './chat-address.ts';
import { postRows } from './post.rows.ts';

export interface WebhookPostOptions {
  readonly id: string;
  /** Text of the message as an argument. */
  readonly words?: string;
  readonly title?: string;
  readonly body?: string;
  readonly icon?: string;
  readonly file?: string;
  readonly cardColor?: string;
  readonly pretext?: string;
  readonly authorName?: string;
  readonly authorLink?: string;
  readonly authorIcon?: string;
  readonly cardTitle?: string;
  readonly titleLink?: string;
  readonly field: readonly string[];
  readonly text?: string;
  readonly imageUrl?: string;
  readonly footer?: string;
  readonly footerIcon?: string;
  readonly ts?: number;
}

/**
 * `webhook post ID|-`: sends a post once, because a post whose reply is lost cannot be looked up afterwards (CLIENT-9).
 */
export async function postToChat(ctx: Context, options: WebhookPostOptions): Promise<void> {
  // Posts bypass the client, which otherwise checks the policy.
  await (await ctx.policy()).check({ kind: 'write', numbers: [] });
  const input = await readInput(ctx, options);
  const post = await postOf(ctx, options, input.body);
  const problems = postProblems(post);
  if (problems.length > 0)
    throw usageError(
      'the service would reject this post',
      'fix these members of the post; nothing was posted',
      problems,
    );
  const webhook = options.id === '-' ? '(standard input)' : options.id;
  const address = checkedAddress(ctx, input.address ?? (await addressOf(ctx, options.id)));
  await recorded(ctx, address, post, () => send(ctx, address, post));
  await ctx.out.record({ webhook, status: 'posted', post }, postRows.record);
}

/**
 * Reads standard input: with ID `-`, the first line is the address; with `--body -`, the remaining lines are the body.
 */
async function readInput(ctx: Context, { id, words, body = words, file }: WebhookPostOptions) {
  if (file === '-' && (id === '-' || body === '-'))
    throw usageError(
      `--file cannot read standard input, which contains ${id === '-' ? 'the address' : 'the body'}`,
      'specify the name of a file',
    );
  if (id !== '-' && id.includes('://')) {
    throw usageError(
      'the webhook address is a credential, so ucctl does not accept it as an argument',
      'specify the webhook ID, or specify - and write the address to standard input',
    );
  }
  if (id !== '-' && body !== '-') return { address: undefined, body };
  const text = withLineFeeds(await readTextFile(ctx, '-'));
  if (id !== '-') return { address: undefined, body: text.replace(/\n$/, '') };
  const [address = '', ...rest] = text.split('\n');
  return { address: address.trim(), body: body === '-' ? rest.join('\n').replace(/\n$/, '') : body };
}

async function postOf(
  ctx: Context,
  options: WebhookPostOptions,
  body: string | undefined,
): Promise<ChatPost> {
  const { file, title, icon } = options;
  const base = file === undefined ? {} : readPost(await readTextFile(ctx, file), file);
  const card = cardOf(options);
  const { attachments = [] } = base;
  return {
    ...base,
    ...(icon !== undefined && { icon }),
    ...(title !== undefined && { title }),
    ...(body !== undefined && { body }),
    // Attachments that are not a list are reported with the other problems of the post.
    ...(card && Array.isArray(attachments) && { attachments: [...attachments, card] }),
  };
}

/** Returns the card that the flags describe; undefined if no flags describe a card. */
function cardOf(options: WebhookPostOptions): ChatCard | undefined {
  const members = {
    color: options.cardColor,
    pretext: options.pretext,
    author_name: options.authorName,
    author_link: options.authorLink,
    author_icon: options.authorIcon,
    title: options.cardTitle,
    title_link: options.titleLink,
    fields: options.field.length > 0 ? options.field.map(readField) : undefined,
    text: options.text,
    image_url: options.imageUrl,
    footer: options.footer,
    footer_icon: options.footerIcon,
    ts: options.ts,
  };
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : { type: 'Card', ...Object.fromEntries(given) };
}

/** Reads `TITLE=VALUE`. `+TITLE=VALUE` is a short field: two short fields fit on one line. */
function readField(text: string): { title: string; value: string; short?: boolean } {
  const [, plus, title, value] = /^(\+?)([^=]+)=(.*)$/s.exec(text) ?? [];
  if (title === undefined || value === undefined)
    throw usageError(
      `--field: "${text}" is not a valid field`,
      'use TITLE=VALUE, or +TITLE=VALUE for a short field',
    );
  return { title, value, ...(plus === '+' && { short: true }) };
}

async function addressOf(ctx: Context, id: string): Promise<string> {
  const stored = await (await ctx.auth()).secrets.read(secretName(id));
  if (stored !== undefined) return stored;
  const found = await (
    await ctx.api()
  ).chatWebhooks
    .get(id, { signal: ctx.signal })
    .catch((error: unknown) => {
      if (isMissingResource(error)) return undefined;
      throw error;
    });
  if (found) return found.uri;
  throw notFoundError(
    `chat webhook "${id}" not found`,
    nextStep`to list your webhooks: ${ucctl('webhook list')}`,
  );
}

/** Parses the address: https, or any address on this machine or of the configured service. */
function checkedAddress(ctx: Context, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const base = ctx.settings.baseUrl.value;
  const isOwn = url && base !== undefined && url.origin === new URL(base).origin;
  if (url && (url.protocol === 'https:' || isOwn || isLoopback(url.hostname))) return url;
  // The message does not quote the text, which may contain the credential.
  throw usageError(
    'the webhook address is not a valid https:// URL',
    'specify the complete address of the webhook',
  );
}

/** Statuses of gateway timeouts: the message may have been posted. */
const gatewayTimeouts: ReadonlySet<number> = new Set([408, 499]);

const rejections: Readonly<Record<number, { readonly code: string; readonly exit: ExitCode }>> = {
  404: { code: 'not_found', exit: Exit.notFound },
  429: { code: 'rate_limited', exit: Exit.rateLimited },
};

/**
 * Records the post in the outcome journal before it is sent, and the outcome afterwards. Posts bypass the client, which
 * records all other sends.
 */
async function recorded(
  ctx: Context,
  address: URL,
  post: ChatPost,
  work: () => Promise<void>,
): Promise<void> {
  if (ctx.dryRun) return work();
  const { profile, baseUrl } = ctx.settings;
  const owner = { profile: profile.value, origin: new URL(baseUrl.value ?? address).origin };
  const journal = await openSendJournal(ctx);
  try {
    const recorder = createRecorder(journal, owner, {
      whose: () => Promise.resolve(undefined),
      sentSecrets: ctx.sentSecrets,
      warn: (text) => ctx.out.warn(text),
    });
    // The address is a credential, so the journal gets a neutral path.
    const record = await recorder.before(
      { method: 'POST', path: '/webhook', body: post, once: true },
      undefined,
    );
    try {
      await work();
      await record.settle({ state: 'sent' });
    } catch (error) {
      const isUnknown = !(error instanceof CommandError) || error.exit === Exit.outcomeUnknown;
      await record.settle({ state: isUnknown && !isUnsent(error) ? 'unknown' : 'failed', error });
      throw error;
    }
  } finally {
    journal.close();
  }
}

/** Sends the post without an Authorization header: the address is the credential. */
async function send(ctx: Context, url: URL, post: ChatPost): Promise<void> {
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

function explained(error: unknown): unknown {
  return reachedOf(error) === 'unknown' ? unknownOutcome('no reply from the service', error) : error;
}

function isUnsent(error: unknown): boolean {
  return reachedOf(error) === 'no';
}

/** Returns whether the request may have arrived, for a failed connection. */
function reachedOf(error: unknown): unknown {
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
