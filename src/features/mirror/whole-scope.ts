import { OlderRecords, type SyncPart } from '../../runtime/older-records.ts';
import type { ReplySink, SyncInfo } from '../../store/reply.ts';
import { OtherMailboxError } from './other-mailbox.ts';
import { readAhead, type Chunks } from './read-ahead.ts';
import { isMessageTime } from './record.ts';
import { readReply, type SyncRequest } from './reply.ts';

/** One sync of one mailbox. */
export interface ScopeSync {
  readonly extensionId: string;
  readonly request: SyncRequest;
  /** Sends a request for the mailbox. */
  readonly open: (request: SyncRequest) => Promise<AsyncIterable<Uint8Array>>;
  /**
   * Returns the extension whose mailbox the requests read, for a reply that does not name it. Undefined if the requests
   * name the extension.
   */
  readonly owner?: (() => Promise<string>) | undefined;
}

/** One reply of a sync with its length in bytes. */
interface ScopePart extends SyncPart {
  readonly info: SyncInfo & { readonly bytes: number };
}

/** Passes the records of all replies to a sink, once. The result has the token of the first reply, whose scope has no end. */
export type ReadScope = (sink: ReplySink) => Promise<ScopePart['info']>;

/** Number of bytes of replies that are read before their mailbox enters the write queue. */
const mostAhead = 16 * 1024 * 1024;
const noSink: ReplySink = { records: () => undefined, problem: () => undefined };

/**
 * Sends the request of a sync, and those for the older records (`OlderRecords`). While the replies are in memory, this
 * happens before the result is called, so that a transaction does not wait for the service.
 * @throws {BrokenReplyError} a reply is truncated. @throws {OtherMailboxError}
 */
export async function openWholeScope(sync: ScopeSync): Promise<ReadScope> {
  const older = new OlderRecords(sync.request);
  const ahead: Chunks[] = [];
  let bytes = 0;
  let isLastRead = false;
  for (let next: SyncRequest | undefined = sync.request; next !== undefined;) {
    const body: Chunks = await readAhead(await sync.open(next));
    ahead.push(body);
    if (!older.isPossible || Symbol.asyncIterator in body || bytes > mostAhead || !mayReportOlder(body))
      break;
    const part: ScopePart = await readPart(sync, body, noSink);
    bytes += part.info.bytes;
    next = older.next(part);
    isLastRead = next === undefined;
  }
  return async (sink) => {
    const parts: ScopePart[] = [];
    for (const body of ahead) parts.push(await readPart(sync, body, sink));
    for (let next = isLastRead ? undefined : nextAfter(older, parts); next !== undefined;) {
      parts.push(await readPart(sync, await sync.open(next), sink));
      next = nextAfter(older, parts);
    }
    return joined(parts, older.isCut);
  };
}

/** Searches a reply for the report of older records. Most replies have none, and need not be parsed twice. */
function mayReportOlder(body: readonly Uint8Array[]): boolean {
  return /"olderRecordsExist"\s*:\s*true/.test(Buffer.concat(body).toString('latin1'));
}

function nextAfter(older: OlderRecords<SyncRequest>, parts: readonly ScopePart[]): SyncRequest | undefined {
  const last = parts.at(-1);
  return last && older.next(last);
}

function joined(parts: readonly ScopePart[], isCut: boolean): ScopePart['info'] {
  const infos = parts.map(({ info }) => info);
  const [first, ...others] = infos;
  if (!first) throw new Error('a sync has at least one reply');
  const bytes = infos.reduce((sum, info) => sum + info.bytes, 0);
  const { olderRecordsExist } = others.at(-1) ?? first;
  return { ...first, olderRecordsExist, bytes, isCut };
}

async function readPart(
  { extensionId, owner }: ScopeSync,
  body: Chunks,
  sink: ReplySink,
): Promise<ScopePart> {
  let received = 0;
  let oldest = Infinity;
  let account: string | undefined;
  const info = await readReply(body, {
    records(texts) {
      received += texts.length;
      for (const text of texts) {
        oldest = Math.min(oldest, timeIn(text));
        account ??= accountIn(text);
      }
      return sink.records(texts);
    },
    problem(id, problem) {
      received += 1;
      sink.problem(id, problem);
    },
  });
  const answered = info.extensionId ?? (await owner?.());
  if (answered !== undefined && answered !== extensionId) throw new OtherMailboxError(extensionId, answered);
  return { info: { ...info, accountId: info.accountId ?? account }, received, oldest };
}

/** Returns the account in the address of a record, because the address of the reply is optional. */
function accountIn(text: string): string | undefined {
  return /"uri"\s*:\s*"[^"]*\/account\/(\d+)\//.exec(text)?.[1];
}

/** Returns the creation time in the text of a record; `Infinity` without a valid time. Parsing the record takes longer. */
function timeIn(text: string): number {
  const time = Date.parse(/"creationTime"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? '');
  return isMessageTime(time) ? time : Infinity;
}
