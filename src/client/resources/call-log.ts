import type { CallLogFilter, CallLogRecord } from '../../contract/call-log.ts';
import type { Id, List } from '../../contract/common.ts';
import { readBatchReply } from '../batch-reply.ts';
import { ReplyError } from '../errors.ts';
import { pages, recordsOf, type PageOptions } from '../paging.ts';
import { path } from '../path.ts';
import type { Call, RequestOptions } from '../call.ts';
import { callShape } from '../shapes/call.ts';
import { listOf } from '../shapes/shape.ts';
import type { Transport } from '../transport.ts';

/** Whose calls: of everyone, for administrators only, or of one extension (specification, Call log and active calls). */
export type CallScope = 'account' | { readonly extensionId: Id };

/** Ids in one request (facts 1.1, L278). */
const idsPerRequest = 50;
const calls = listOf(callShape);

/** What happened on the phones, and what is happening now (specification, Call log and active calls). */
export class CallLog {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** GET {scope}/call-log, latest first, all pages. Without dates the service gives the last day; dates carry an offset. */
  list(
    scope: CallScope,
    filter: CallLogFilter = {},
    options?: PageOptions,
  ): AsyncGenerator<CallLogRecord, void, undefined> {
    const call: Call = { method: 'GET', path: `${root(scope)}/call-log`, query: { ...filter }, reply: calls };
    return pages(this.#transport, call, options);
  }

  /**
   * GET {scope}/call-log/{ids}: the records of these ids in their order, absent ones undefined. 50 ids in a request.
   * @throws {ApiError} for anything but an id that is not there.
   */
  async get(
    scope: CallScope,
    ids: readonly Id[],
    view: 'Simple' | 'Detailed' = 'Simple',
    options?: RequestOptions,
  ): Promise<readonly (CallLogRecord | undefined)[]> {
    const found: (CallLogRecord | undefined)[] = [];
    for (let at = 0; at < ids.length; at += idsPerRequest) {
      found.push(...(await this.#getSome(scope, ids.slice(at, at + idsPerRequest), view, options)));
    }
    return found;
  }

  /** GET {scope}/active-calls: calls connected to an extension, and those that ended less than about 120 s ago. Always Simple, not paged. */
  async active(scope: CallScope, options?: RequestOptions): Promise<readonly CallLogRecord[]> {
    const call: Call = { method: 'GET', path: `${root(scope)}/active-calls`, reply: calls };
    const list = await this.#transport.send<List<CallLogRecord>>(call, options);
    return recordsOf(list, call);
  }

  async #getSome(
    scope: CallScope,
    ids: readonly Id[],
    view: string,
    options?: RequestOptions,
  ): Promise<readonly (CallLogRecord | undefined)[]> {
    const list = ids.map((id) => path`${id}`).join(',');
    const call: Call = { method: 'GET', path: `${root(scope)}/call-log/${list}`, query: { view } };
    if (ids.length === 1) {
      const one = await this.#transport
        .send<CallLogRecord>({ ...call, reply: callShape }, options)
        .catch(absent);
      return [one];
    }
    const reply = await this.#transport.open(call, options);
    const text = await reply.text();
    try {
      const parts = readBatchReply<CallLogRecord>(text, reply.header('content-type'));
      const records = parts.filter(({ status }) => status === 200).map(({ body }) => body);
      const byId = new Map(records.map((record) => [record.id, record]));
      return ids.map((id) => byId.get(String(id)));
    } catch (error) {
      throw new ReplyError(reply.status, call, 'something that is no reply for several ids', {
        cause: error,
      });
    }
  }
}

function root(scope: CallScope): string {
  if (scope === 'account') return '/restapi/v1.0/account/~';
  return path`/restapi/v1.0/account/~/extension/${scope.extensionId}`;
}

function absent(error: unknown): undefined {
  if (error instanceof Error && (error as { readonly status?: number }).status === 404) return undefined;
  throw error;
}
