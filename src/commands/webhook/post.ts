import type { ChatCard, ChatPost } from '../../contract/chat.ts';
import { nameOf, readTextFile } from '../../features/bulk/index.ts';
import { createRecorder, openSendJournal } from '../../features/outcome-journal/index.ts';
import { postProblems, readPost } from '../../features/chat-post/index.ts';
import { isSafeAddress } from '../../platform/base-url.ts';
import { withLineFeeds } from '../../platform/line-feeds.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, notFoundError, usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { isMissingResource } from '../../errors/service-codes.ts';
import { secretName } from './chat-address.ts';
import { postRows } from './post.rows.ts';
import { reachedOf, sendPost } from './send-post.ts';

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
  const address = checkedAddress(input.address ?? (await addressOf(ctx, options.id)));
  await recorded(ctx, address, post, () => sendPost(ctx, address, post));
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
  if (id !== '-' && body !== '-') return { address: undefined, body: body && withLineFeeds(body) };
  const text = withLineFeeds(await readTextFile(ctx, '-'));
  if (id !== '-') return { address: undefined, body: bodyOfInput(text) };
  const [address = '', ...rest] = text.split('\n');
  return {
    address: address.trim(),
    body: body === '-' ? bodyOfInput(rest.join('\n')) : body && withLineFeeds(body),
  };
}

/**
 * Returns the body from standard input without its final line feed.
 * @throws {CommandError} `usage` for an empty body, also with a title, because the command that should write the body
 * may have failed.
 */
function bodyOfInput(text: string): string {
  if (text.trim() !== '') return text.replace(/\n$/, '');
  throw usageError(
    'the body on standard input is empty',
    'make sure that the command before the pipe writes the text; nothing was posted',
  );
}

async function postOf(
  ctx: Context,
  options: WebhookPostOptions,
  body: string | undefined,
): Promise<ChatPost> {
  const { file, title, icon } = options;
  const base = file === undefined ? {} : readPost(await readTextFile(ctx, file), nameOf(file));
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

/** Parses the address: https, or an address on this machine. */
function checkedAddress(text: string): URL {
  if (URL.canParse(text) && isSafeAddress(text)) return new URL(text);
  // The message does not quote the text, which may contain the credential.
  throw usageError(
    'the webhook address is not a valid https:// URL',
    'specify the complete address of the webhook',
  );
}

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
      warnIfKilled: (text) => ctx.out.warnIfKilled(text),
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
      await record.settle({ state: isUnknown && reachedOf(error) !== 'no' ? 'unknown' : 'failed', error });
      throw error;
    }
  } finally {
    journal.close();
  }
}
