import type { ChatCard, ChatPost } from '../../contract/chat.ts';
import { readTextFile } from '../../features/bulk/index.ts';
import { createRecorder, OutcomeJournal } from '../../features/outcome-journal/index.ts';
import { postProblems, readPost } from '../../features/chat-post/index.ts';
import { isLoopback } from '../../platform/base-url.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, type ExitCode, notFoundError, usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { View } from '../../runtime/output.ts';
import { isRefusedWith } from '../../errors/service.ts';
import { secretName } from './chat-view.ts';

export interface WebhookPostOptions {
  readonly id: string;
  /** The body as an argument. */
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

interface Posted {
  readonly webhook: string;
  readonly status: 'posted';
  readonly post: ChatPost;
}

const view: View<Posted> = {
  columns: [
    { key: 'webhook', title: 'WEBHOOK', kind: 'id', value: (row) => row.webhook },
    { key: 'status', title: 'STATUS', kind: 'status', value: (row) => row.status },
  ],
};

/** `webhook post ID|-`. Sent once: a post whose reply is lost cannot be searched for afterwards (CLIENT-9). */
export async function postToChat(ctx: Context, options: WebhookPostOptions): Promise<void> {
  // The post goes past the client, and so past its guard.
  await (await ctx.policy()).check({ kind: 'write', numbers: [] });
  const input = await readInput(ctx, options);
  const post = await postOf(ctx, options, input.body);
  const problems = postProblems(post);
  if (problems.length > 0) throw usageError('the service would not take this post', undefined, problems);
  const webhook = options.id === '-' ? '(standard input)' : options.id;
  const address = checkedAddress(ctx, input.address ?? (await addressOf(ctx, options.id)));
  await recorded(ctx, address, post, () => send(ctx, address, post));
  await ctx.out.record({ webhook, status: 'posted', post }, view);
}

/** Standard input holds the address in its first line with `-`, and the body with `--body -`. */
async function readInput(ctx: Context, { id, words, body = words, file }: WebhookPostOptions) {
  if (file === '-' && (id === '-' || body === '-'))
    throw usageError(
      `standard input cannot be ${id === '-' ? 'the address' : 'the body'} and --file at once`,
      'give the name of a file',
    );
  if (id !== '-' && id.includes('://')) {
    throw usageError(
      'the address of a webhook is a credential',
      'give its id, or - and the address on standard input',
    );
  }
  if (id !== '-' && body !== '-') return { address: undefined, body };
  const text = await ctx.input.text();
  if (id !== '-') return { address: undefined, body: text.replace(/\r?\n$/, '') };
  const [address = '', ...rest] = text.split(/\r?\n/);
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
  return {
    ...base,
    ...(icon !== undefined && { icon }),
    ...(title !== undefined && { title }),
    ...(body !== undefined && { body }),
    ...(card && { attachments: [...(base.attachments ?? []), card] }),
  };
}

/** Undefined when no flag of a card was given. */
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

/** `TITLE=VALUE`; `+TITLE=VALUE` is a short one, that may stand beside another. */
function readField(text: string): { title: string; value: string; short?: boolean } {
  const [, plus, title, value] = /^(\+?)([^=]+)=(.*)$/s.exec(text) ?? [];
  if (title === undefined || value === undefined)
    throw usageError(`--field: "${text}" is not [+]TITLE=VALUE`);
  return { title, value, ...(plus === '+' && { short: true }) };
}

async function addressOf(ctx: Context, id: string): Promise<string> {
  const kept = await (await ctx.auth()).secrets.read(secretName(id));
  if (kept !== undefined) return kept;
  const found = await (
    await ctx.api()
  ).chatWebhooks
    .get(id, { signal: ctx.signal })
    .catch((error: unknown) => {
      if (isRefusedWith(error, 404)) return undefined;
      throw error;
    });
  if (found) return found.uri;
  throw notFoundError(
    `there is no chat webhook "${id}" of yours`,
    nextStep`list them: ${ucctl('webhook list')}`,
  );
}

/** https, or the service itself where that is on this machine. */
function checkedAddress(ctx: Context, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const base = ctx.settings.baseUrl.value;
  const isOwn = url && base !== undefined && url.origin === new URL(base).origin;
  if (url && (url.protocol === 'https:' || isOwn || isLoopback(url.hostname))) return url;
  // The text itself may be the credential.
  throw usageError('the address of the webhook is no https:// address');
}

/** Rejections of a gateway that gave up waiting: the post may have been made. */
const gatewayGaveUp: ReadonlySet<number> = new Set([408, 499]);

const refusals: Readonly<Record<number, { readonly code: string; readonly exit: ExitCode }>> = {
  404: { code: 'not_found', exit: Exit.notFound },
  429: { code: 'rate_limited', exit: Exit.rateLimited },
};

/** Writes the post down before it goes out and what became of it: it goes past the client, and so past the client's recorder. */
async function recorded(
  ctx: Context,
  address: URL,
  post: ChatPost,
  work: () => Promise<void>,
): Promise<void> {
  if (ctx.dryRun) return work();
  const { profile, baseUrl } = ctx.settings;
  const owner = { profile: profile.value, origin: new URL(baseUrl.value ?? address).origin };
  const journal = OutcomeJournal.open(ctx.paths.state);
  try {
    const whose = (): Promise<undefined> => Promise.resolve(undefined);
    const recorder = createRecorder(journal, owner, () => ctx.now(), { whose });
    // The address is a credential: what stands for it says only what kind of request it is.
    const settle = await recorder.before(
      { method: 'POST', path: '/webhook', body: post, once: true },
      undefined,
    );
    try {
      await work();
      await settle({ state: 'sent' });
    } catch (error) {
      const isUnknown = !(error instanceof CommandError) || error.exit === Exit.outcomeUnknown;
      await settle({ state: isUnknown && !isUnsent(error) ? 'unknown' : 'failed', error });
      throw error;
    }
  } finally {
    journal.close();
  }
}

/** Without Authorization: the address is the credential. */
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
    throw unknownOutcome('the answer broke off', error);
  });
  if (reply.status < 300) {
    if (isPosted(text)) return;
    throw unknownOutcome(`HTTP ${reply.status} came with a body that does not show it`);
  }
  // A redirect is not followed, and says as little of what was done as a failure of the service.
  const isUnclear = reply.status >= 500 || reply.status < 400 || gatewayGaveUp.has(reply.status);
  if (isUnclear) throw unknownOutcome(`HTTP ${reply.status} came`);
  const { code, exit } = refusals[reply.status] ?? { code: 'post_refused', exit: Exit.failed };
  throw new CommandError(code, exit, `the service refused the post (HTTP ${reply.status})`, {
    details: [reasonOf(text)].filter((reason) => reason !== ''),
    ...(reply.status === 429 && {
      hint: 'wait a minute and post again; nothing was posted',
      retryable: true,
    }),
    ...(reply.status === 404 && {
      hint: nextStep`the webhook may have been deleted: ${ucctl('webhook list')}`,
    }),
    ...(reply.status === 403 && { hint: nextStep`it may be suspended: ${ucctl('webhook activate ID')}` }),
  });
}

/**
 * The body of a reply to a post is not documented: none, `{"status":"OK"}` and the record of a post show that it was made. A sign-in page of a
 * network answers with a status that says success as well.
 */
function isPosted(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    const { status, id } = JSON.parse(text) as { readonly status?: unknown; readonly id?: unknown };
    const isOk = typeof status === 'string' && /^ok$/i.test(status);
    return isOk || (typeof id === 'string' && id !== '') || typeof id === 'number';
  } catch {
    return false;
  }
}

function explained(error: unknown): unknown {
  return reachedOf(error) === 'unknown' ? unknownOutcome('no answer came', error) : error;
}

function isUnsent(error: unknown): boolean {
  return reachedOf(error) === 'no';
}

/** Of a connection that failed: whether the request can have arrived. */
function reachedOf(error: unknown): unknown {
  return error instanceof Error && 'reached' in error ? error.reached : undefined;
}

function unknownOutcome(why: string, cause?: unknown): CommandError {
  return new CommandError('outcome_unknown', Exit.outcomeUnknown, `${why}: it may have been posted or not`, {
    hint: 'look in the group before posting again; a post cannot be asked for',
    cause,
  });
}

function reasonOf(text: string): string {
  try {
    const value = JSON.parse(text) as { message?: unknown };
    return typeof value.message === 'string' ? value.message : '';
  } catch {
    return '';
  }
}
