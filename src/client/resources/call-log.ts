import type {
  ActiveCallsFilter,
  CallLogFilter,
  CallLogRecord,
  CallLogSyncReply,
  CallLogSyncRequest,
} from '../../contract/call-log.ts';
import type { Id } from '../../contract/common.ts';
import type { BatchOutcome } from '../batch.ts';
import { ApiError, ReplyError, type RequestLine } from '../../errors/service.ts';
import { isMissingResource } from '../../errors/service-codes.ts';
import { isoWithOffset } from '../../platform/moment.ts';
import { pages, type ListReading, type PageOptions } from '../paging.ts';
import { idGroups } from '../id-groups.ts';
import { path } from '../path.ts';
import type { Call, RequestOptions } from '../call.ts';
import { callShape, callSyncShape } from '../shapes/call.ts';
import { withId } from '../shapes/same-id.ts';
import { listOf } from '../shapes/shape.ts';
import type { Transport } from '../transport.ts';

/** Calls of the whole account, for administrators only, or of one extension (CALL-1, CALL-2). */
export type CallScope = 'account' | { readonly extensionId: Id };

const calls = listOf(callShape);

/** Ended and active calls: docs/spec/call-log.md, docs/spec/active-calls.md. */
export class CallLog {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * GET {scope}/call-log, newest first, all pages. Without dates: the last day. Dates are ISO 8601 with an offset. Calls
   * that are deleted between two pages hide no others, if the replies have totals (`deletions.ts`), or if the filter has
   * `dateFrom` and the list is ordered.
   */
  list(
    scope: CallScope,
    filter: CallLogFilter = {},
    options?: PageOptions,
  ): AsyncGenerator<CallLogRecord, void, undefined> {
    const { phoneNumber } = filter;
    const query = { ...filter, ...(phoneNumber !== undefined && { phoneNumber: withoutPlus(phoneNumber) }) };
    const call: Call = { method: 'GET', path: `${root(scope)}/call-log`, query, reply: calls };
    return pages(this.#transport, call, options, {
      repeatsAfterDeletion: true,
      listAfter: callsAfter(query),
    });
  }

  /**
   * GET {scope}/call-log/{ids}: the records of these IDs in order, undefined for IDs that do not exist. Sends 50 IDs
   * per request.
   * @throws {ApiError} for an ID that is rejected for another reason. @throws {ReplyError} for an ID that the reply
   * does not name.
   */
  async get(
    scope: CallScope,
    ids: readonly Id[],
    view: 'Simple' | 'Detailed' = 'Simple',
    options?: RequestOptions,
  ): Promise<readonly (CallLogRecord | undefined)[]> {
    const found = new Map<string, CallLogRecord | undefined>();
    for (const some of idGroups(ids, false)) {
      for (const [id, record] of await this.#getSome(scope, some, view, options)) found.set(id, record);
    }
    return ids.map((id) => found.get(String(id)));
  }

  /**
   * GET .../extension/~/call-log-sync: the user's own latest calls with a token, or the calls that changed since a
   * token, up to 250; all in the view Detailed. Only dialect `current` has it (CALL-25).
   * @throws {ApiError} 400 CLG-101 to CLG-105 if the service cannot continue from the token; the caller must perform a
   * full sync.
   */
  async sync(request: CallLogSyncRequest, options?: RequestOptions): Promise<CallLogSyncReply> {
    const query = { ...request, view: 'Detailed' };
    const call: Call = {
      method: 'GET',
      path: '/restapi/v1.0/account/~/extension/~/call-log-sync',
      query,
      reply: callSyncShape,
    };
    return this.#transport.send<CallLogSyncReply>(call, options);
  }

  /**
   * GET {scope}/active-calls: calls that are connected to an extension, and calls that ended less than about 120 s ago;
   * all pages. Some deployments ignore the filters, so the caller must filter the result.
   */
  async active(
    scope: CallScope,
    filter: ActiveCallsFilter = {},
    options?: PageOptions,
  ): Promise<readonly CallLogRecord[]> {
    const call: Call = {
      method: 'GET',
      path: `${root(scope)}/active-calls`,
      query: { ...filter },
      reply: calls,
    };
    const found: CallLogRecord[] = [];
    for await (const record of pages<CallLogRecord>(this.#transport, call, options)) found.push(record);
    return found;
  }

  async #getSome(
    scope: CallScope,
    ids: readonly string[],
    view: string,
    options?: RequestOptions,
  ): Promise<readonly (readonly [string, CallLogRecord | undefined])[]> {
    const collection = `${root(scope)}/call-log`;
    const [only, second] = ids;
    if (only !== undefined && second === undefined) {
      const call: Call = {
        method: 'GET',
        path: collection + path`/${only}`,
        query: { view },
        reply: withId(callShape, only),
      };
      return [[only, await this.#transport.send<CallLogRecord>(call, options).catch(absent)]];
    }
    const request = { method: 'GET', collection, query: { view }, shape: callShape } as const;
    const { sendBatch } = await import('../batch.ts');
    const outcomes = await sendBatch<CallLogRecord>(this.#transport, request, ids, options);
    const line = { method: 'GET', path: `${collection}/${ids.join(',')}` };
    return outcomes.map((outcome) => [outcome.id, recordOf(outcome, line)]);
  }
}

/**
 * Returns how a list of calls continues, because it has no totals (BASE-35): at the start of its last call. Deletions
 * do not change this position, unlike the number of a page. It includes one more second, because the next call may have
 * the same start.
 */
function callsAfter(query: CallLogFilter): ListReading['listAfter'] {
  // Without dateFrom, dateTo would select another day.
  if (query.dateFrom === undefined) return undefined;
  let isOrdered = true;
  let last = Number.POSITIVE_INFINITY;
  return (records) => {
    const starts = (records as readonly CallLogRecord[]).map(({ startTime }) => Date.parse(startTime));
    const [first = Number.NaN] = starts;
    // The page may begin with calls of the previous page, and with calls at dateTo.
    isOrdered &&=
      first <= last + second && starts.every((start, index) => start <= (starts[index - 1] ?? first));
    last = starts.at(-1) ?? last;
    if (!isOrdered || first <= last + second) return undefined;
    const end = last + second;
    return {
      query: { ...query, dateTo: isoWithOffset(end) },
      isUsed(later) {
        const start = (later as readonly CallLogRecord[])[0]?.startTime;
        // No further page then has a later list.
        isOrdered &&= start === undefined || Date.parse(start) <= end;
        return isOrdered;
      },
    };
  };
}

/** Milliseconds. */
const second = 1000;

/** Returns a number as the filter of the call log expects it: E.164 without the `+` (CALL-15). */
function withoutPlus(phoneNumber: string): string {
  return phoneNumber.replace(/^\+/, '');
}

/** Returns the record of one ID of a multi-ID request; undefined for an ID that does not exist. */
function recordOf(
  { id, status, record, reason, code }: BatchOutcome<CallLogRecord>,
  request: RequestLine,
): CallLogRecord | undefined {
  if (status === undefined) throw new ReplyError(207, request, `no result for record ${id}`);
  if (status === 404 || status < 300) return record;
  const message = reason ?? `record ${id} was rejected with HTTP ${status}`;
  throw new ApiError({ status, errorCode: code ?? `HTTP-${status}`, message, request });
}

function root(scope: CallScope): string {
  if (scope === 'account') return '/restapi/v1.0/account/~';
  return path`/restapi/v1.0/account/~/extension/${scope.extensionId}`;
}

function absent(error: unknown): undefined {
  if (isMissingResource(error)) return undefined;
  throw error;
}
