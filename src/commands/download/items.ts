import type { Client } from '../../client/index.ts';
import type { CallLogRecord } from '../../contract/call-log.ts';
import type { Id } from '../../contract/common.ts';
import { earliestData } from '../../contract/limits.ts';
import type { Attachment, Message } from '../../contract/message.ts';
import { readListFile } from '../../features/bulk/index.ts';
import { extensionIdOf } from '../../features/directory/index.ts';
import { endsLookups, LookupQueue, needsLookup, type DownloadItem } from '../../features/download/index.ts';
import { dateFilter, readWindow } from '../../features/time-window/index.ts';
import type { Context } from '../../runtime/context.ts';
import { counted, wasOrWere } from '../../platform/counted.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { isRejectedByService } from '../../errors/service-codes.ts';
import { forAdministrators } from '../../runtime/whole-account.ts';
import type { DownloadOptions } from './download-options.ts';
import { readList, type Wanted } from './list-file.ts';

/** Returns whether the options select a time range or a list instead of single IDs. */
export function isBulk(options: DownloadOptions): boolean {
  return hasPeriod(options) || options.file !== undefined;
}

/** Returns whether the options select all items of a time range. */
function hasPeriod({ recordings, voicemail, fax }: DownloadOptions): boolean {
  return Boolean(recordings) || Boolean(voicemail) || Boolean(fax);
}

/** Returns whether the options may select more than one item. */
export function mayBeSeveral(options: DownloadOptions): boolean {
  const { messages, recording, uri } = options;
  return isBulk(options) || messages.length + recording.length + uri.length > 1;
}

/** Returns the items to download, read page by page. Invalid options are rejected before the first request. */
export async function itemsOf(ctx: Context, options: DownloadOptions): Promise<AsyncIterable<DownloadItem>> {
  const { messages, recording, uri, file } = options;
  if (!isBulk(options) && messages.length + recording.length + uri.length === 0) {
    throw usageError(
      'no items to download',
      'pass message IDs, --recording ID, --uri ADDRESS, --recordings, --voicemail, --fax or --file LIST',
    );
  }
  const { from = earliestData, ...range } = readWindow(options, ctx);
  const window = dateFilter({ from, ...range });
  const wanted: readonly Wanted[] = [
    ...messages.map((id) => ({ kind: 'message', id }) as const),
    ...recording.map((id) => ({ kind: 'recording', id }) as const),
    ...uri.map((id) => ({ kind: 'uri', id }) as const),
    ...(file === undefined
      ? []
      : readList(await readListFile(ctx, file, options.sheet), file === '-' ? 'stdin' : file)),
  ];
  const api = await ctx.api();
  const { extension } = options;
  const extensionId = extension === undefined ? undefined : await extensionIdOf(api, extension, ctx.signal);
  return once(all());

  async function* all(): AsyncGenerator<DownloadItem, void, undefined> {
    // If the same items always fail, runs with --continue nevertheless get to the others.
    const choose = options.continue ? (await import('node:crypto')).randomInt : undefined;
    const queue = new LookupQueue(wanted, hasPeriod(options) ? ['period'] : [], choose);
    const lookup = (one: Wanted) => named(ctx, api, one, extensionId ?? '~');
    yield* reported(ctx, allNamed(ctx, queue, lookup), () =>
      wanted.length > 1 ? untriedText(queue) : undefined,
    );
    if (hasPeriod(options) && options.since === undefined)
      ctx.out.note('Without --since, the download begins with the oldest items that the service stores.');
    yield* reported(ctx, inPeriod(), (count) =>
      count > 0 ? 'the list of the service was not read to its end' : undefined,
    );
  }

  async function* inPeriod(): AsyncGenerator<DownloadItem, void, undefined> {
    if (options.recordings) yield* recordings(ctx, api, extensionId, window);
    const messageType = [...(options.voicemail ? ['VoiceMail'] : []), ...(options.fax ? ['Fax'] : [])];
    if (messageType.length === 0) return;
    const filter = { messageType, ...window };
    const found = api.messages.list(extensionId ?? '~', filter, { signal: ctx.signal });
    for await (const message of found) yield* attachments(message, extensionId ?? '~');
  }
}

/**
 * Yields items. If the run ends before all of them were yielded, writes a warning with the next step.
 * @param missing returns what is missing after a number of items; undefined if no warning is necessary
 */
async function* reported(
  ctx: Context,
  items: AsyncIterable<DownloadItem>,
  missing: (count: number) => string | undefined,
): AsyncGenerator<DownloadItem, void, undefined> {
  let isComplete = false;
  let count = 0;
  try {
    for await (const item of items) {
      count += 1;
      yield item;
    }
    isComplete = true;
  } finally {
    const text = isComplete || ctx.signal.aborted ? undefined : missing(count);
    if (text !== undefined) ctx.out.warn(`${text}; to continue, run the same command with --continue`);
  }
}

/** Yields the items of all IDs. @throws the latest error of a lookup if items were not tried */
async function* allNamed(
  ctx: Context,
  queue: LookupQueue<Wanted>,
  lookup: (one: Wanted) => AsyncIterable<DownloadItem>,
): AsyncGenerator<DownloadItem, void, undefined> {
  const bare: string[] = [];
  for (let one = queue.take(); one !== undefined; one = queue.take()) {
    let count = 0;
    for await (const item of namedOrFailed(ctx, one, lookup, queue)) {
      count += 1;
      yield item;
    }
    if (count === 0) bare.push(one.id);
  }
  if (bare.length > 0) ctx.out.note(bareNote(bare));
  if (queue.untried > 0) throw queue.last;
}

/** Returns the note about messages without attachments. */
function bareNote(ids: readonly string[]): string {
  const [id] = ids;
  return ids.length === 1
    ? `Message ${id} has no attachments.`
    : `${counted(ids.length, 'message')} have no attachments.`;
}

/** Returns the number of items that were not tried in a run that ended early. The item that ended it counts, too. */
function untriedText({ untried, left }: LookupQueue<Wanted>): string {
  const count = untried > 0 ? untried : left + 1;
  return `${counted(count, 'item')} ${wasOrWere(count)} not tried`;
}

/** Yields each address once: every participant of a call has a record with the same recording. */
async function* once(items: AsyncIterable<DownloadItem>): AsyncGenerator<DownloadItem, void, undefined> {
  const seen = new Set<string>();
  for await (const item of items) {
    if (item.uri !== '' && seen.has(item.uri)) continue;
    seen.add(item.uri);
    yield item;
  }
}

/**
 * Yields the items of an ID. If the lookup fails, yields one item with the error, so that the other items are still
 * downloaded. @throws an error that ends the run
 */
async function* namedOrFailed(
  ctx: Context,
  one: Wanted,
  lookup: (one: Wanted) => AsyncIterable<DownloadItem>,
  queue: LookupQueue<Wanted>,
): AsyncGenerator<DownloadItem, void, undefined> {
  const known = queue.denied(one.kind);
  if (known) {
    yield { ...one, uri: '', failure: known };
    return;
  }
  try {
    yield* lookup(one);
    if (needsLookup(one.kind)) queue.succeed();
  } catch (error) {
    if (ctx.signal.aborted || endsLookups(error)) throw error;
    queue.fail(one.kind, error);
    yield { ...one, uri: '', failure: { error } };
  }
}

async function* named(
  ctx: Context,
  api: Client,
  { kind, id }: Wanted,
  extensionId: Id,
): AsyncGenerator<DownloadItem, void, undefined> {
  const { signal } = ctx;
  if (kind === 'uri') {
    const tail =
      id
        .split(/[?#]/, 1)[0]
        ?.split('/')
        .findLast((part) => part !== '') ?? 'file';
    yield { kind: 'content', id: tail, nameId: await nameIdOf(tail, id), uri: id, mayBeJson: true };
    return;
  }
  if (kind === 'message') {
    yield* attachments(await api.messages.get(id, extensionId, { signal }), extensionId);
    return;
  }
  const { contentUri, contentType } = await api.recordings.get(id, { signal });
  yield { kind: 'recording', id, uri: addressOf(contentUri), contentType };
}

/**
 * Returns the ID of an address in file names. Many addresses end in the same word, such as `profile-image`, so a hash
 * of the address follows the word. An ID is unique by itself.
 */
async function nameIdOf(tail: string, uri: string): Promise<string> {
  if (/^\d+$/.test(tail)) return tail;
  const { createHash } = await import('node:crypto');
  return `${tail}-${createHash('sha256').update(uri).digest('hex').slice(0, 8)}`;
}

/** Yields the recordings of the call log. */
async function* recordings(
  ctx: Context,
  api: Client,
  extensionId: Id | undefined,
  window: { readonly dateFrom?: string; readonly dateTo?: string },
): AsyncGenerator<DownloadItem, void, undefined> {
  const scope = extensionId === undefined ? 'account' : { extensionId };
  const filter = { recordingType: 'All', ...window };
  try {
    for await (const record of api.callLog.list(scope, filter, { signal: ctx.signal })) {
      if (record.recording) yield recordingItem(record, record.recording);
    }
  } catch (error) {
    if (!isRejectedByService(error, 403) || scope !== 'account') throw error;
    throw forAdministrators(
      'the recordings',
      nextStep`to download your own recordings: ${ucctl('download --recordings --extension ~')}`,
      error,
    );
  }
}

function recordingItem(
  record: CallLogRecord,
  recording: NonNullable<CallLogRecord['recording']>,
): DownloadItem {
  return {
    kind: 'recording',
    id: recording.id,
    uri: addressOf(recording.contentUri),
    contentType: 'audio/x-wav',
    time: record.startTime,
    from: record.from?.phoneNumber ?? record.from?.extensionNumber,
    to: record.to?.phoneNumber ?? record.to?.extensionNumber,
    direction: record.direction,
    session: record.sessionId,
  };
}

/** Returns an address, or an empty text if the reply has none: the download then fails and the others continue. */
function addressOf(uri: string | undefined): string {
  return uri ?? '';
}

function attachments(message: Message, mailbox: Id): readonly DownloadItem[] {
  const kind = kindOf(message);
  const [to] = message.to;
  return message.attachments.map((attachment, index) => ({
    kind,
    id: index === 0 ? String(message.id) : `${message.id}-${attachment.id ?? index + 1}`,
    uri: addressOf(attachment.uri || contentPath(message, attachment, mailbox)),
    contentType: attachment.contentType,
    size: attachment.size,
    time: message.creationTime,
    from: message.from.phoneNumber ?? message.from.extensionNumber,
    to: to?.phoneNumber ?? to?.extensionNumber,
    direction: message.direction,
  }));
}

/** Returns the path of the content of an attachment (MEDIA-1); undefined without an ID. */
function contentPath(message: Message, { id }: Attachment, mailbox: Id): string | undefined {
  return id === undefined
    ? undefined
    : `/restapi/v1.0/account/~/extension/${mailbox}/message-store/${message.id}/content/${id}`;
}

/** Returns the kind of the files of a message; a reply may have no type. */
function kindOf({ type }: { readonly type?: string | undefined }): string {
  return type?.toLowerCase() ?? 'message';
}
