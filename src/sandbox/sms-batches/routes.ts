import { defaultPerPage, maxPerPage, smsTextUnits } from '../../contract/limits.ts';
import { countUtf16Units } from '../../platform/utf16.ts';
import { accountOf, numberOf, type Handler, type Routes } from '../request/call.ts';
import { readDate } from '../request/dates.ts';
import { invalidParameter, messageError, notFound } from '../request/errors.ts';
import type { RowWindow } from '../world/sql.ts';
import type { World } from '../world/world.ts';
import { timesOf, toBatch, toBatchMessage } from './view.ts';
import { hasFeature } from '../directory/number-store.ts';

const e164 = /^\+[1-9]\d{6,14}$/;

/** Serves POST account/{accountId}/a2p-sms/batches (TEXTBATCH-1 to TEXTBATCH-3). */
const createSmsBatch: Handler<'createSmsBatch'> = (call) => {
  const { world, body } = call;
  const { id: accountId } = accountOf(call);
  requireSender(world, accountId, body.from);
  const texts = body.messages.map(({ to, text }, index) => {
    // A text of the body belongs to all messages without their own (TEXTBATCH-1).
    const isShared = text === undefined && body.text !== undefined;
    const name = isShared ? 'text' : `messages[${index}].text`;
    return { index, to, text: checkedText(name, text ?? body.text) };
  });
  const isValid = ({ to }: (typeof texts)[number]): boolean => to.every((number) => e164.test(number));
  const rejected = texts
    .filter((text) => !isValid(text))
    .map(({ index, to }) => ({
      index,
      to,
      errorCode: 'CMN-101',
      description: 'The recipient is not an E.164 number',
    }));
  const batch = world.smsBatches.add({
    accountId,
    time: world.clock.now(),
    sender: body.from,
    size: texts.length,
    rejected: JSON.stringify(rejected),
  });
  for (const { to, text } of texts.filter(isValid))
    world.smsBatches.addMessage({ batchId: batch.id, receivers: JSON.stringify(to), text });
  return { json: toBatch(world, batch) };
};

/** @throws {ServiceError} CMN-101 for a text that is absent, empty or too long. */
function checkedText(name: string, text: string | undefined): string {
  if (text === undefined || text === '') throw invalidParameter(name, 'the text is empty');
  if (countUtf16Units(text) <= smsTextUnits) return text;
  throw invalidParameter(name, `the text has more than ${smsTextUnits} UTF-16 code units`);
}

/** The sender must be a number of the account with the feature A2PSmsSender (TEXTBATCH-1). */
function requireSender(world: World, accountId: number, phoneNumber: string): void {
  const number = world.numbers.byNumber(phoneNumber);
  if (number?.accountId !== accountId)
    throw messageError(403, 'MSG-304', `Phone number ${phoneNumber} does not belong to the account`, 'from');
  if (!hasFeature(number, 'A2PSmsSender'))
    throw messageError(403, 'MSG-240', `Phone number ${phoneNumber} cannot send high-volume SMS`, 'from');
}

/** Serves GET account/{accountId}/a2p-sms/batches (TEXTBATCH-5, TEXTBATCH-7). */
const listSmsBatches: Handler<'listSmsBatches'> = (call) => {
  const { world, query } = call;
  const { id: accountId } = accountOf(call);
  const window = windowOf(query, defaultPerPage);
  const times = query.status?.flatMap((status) => timesOf(world, status) ?? []);
  const conditions = { accountId, ...periodOf(query), sender: query.from, times };
  const rows = world.smsBatches.list(conditions, { ...window, limit: window.limit + 1 });
  return {
    json: {
      records: rows.slice(0, window.limit).map((row) => toBatch(world, row)),
      paging: pagingOf(window, rows.length > window.limit),
    },
  };
};

/** Serves GET account/{accountId}/a2p-sms/batches/{batchId} (TEXTBATCH-4). */
const readSmsBatch: Handler<'readSmsBatch'> = (call) => {
  const { world, params } = call;
  const { id: accountId } = accountOf(call);
  const row = world.smsBatches.byId(numberOf(params['batchId'] ?? ''));
  if (row?.accountId !== accountId) throw notFound('batchId');
  return { json: toBatch(world, row) };
};

/** Serves GET account/{accountId}/a2p-sms/messages (TEXTBATCH-6, TEXTBATCH-7). */
const listSmsBatchMessages: Handler<'listSmsBatchMessages'> = (call) => {
  const { world, query } = call;
  const { id: accountId } = accountOf(call);
  const window = windowOf(query, maxPerPage);
  const { direction, phoneNumber, view = 'Simple' } = query;
  const batchId = query.batchId === undefined ? undefined : numberOf(query.batchId);
  // Only outbound texts exist.
  const times = direction?.includes('Outbound') === false ? [] : undefined;
  const conditions = { accountId, ...periodOf(query), batchId, times, numbers: phoneNumber };
  const found = world.smsBatches.messages(conditions, { ...window, limit: window.limit + 1 });
  const records = found.slice(0, window.limit).map((row) => toBatchMessage(world, row, view === 'Detailed'));
  return { json: { records, paging: pagingOf(window, found.length > window.limit) } };
};

function periodOf({
  dateFrom,
  dateTo,
}: {
  readonly dateFrom?: string | undefined;
  readonly dateTo?: string | undefined;
}) {
  return {
    from: readDate('dateFrom', dateFrom),
    to: readDate('dateTo', dateTo),
  };
}

/** Returns the rows of a page. A token is the position of its first row. */
function windowOf(
  {
    pageToken = '0',
    perPage,
  }: { readonly pageToken?: string | undefined; readonly perPage?: number | undefined },
  normalPerPage: number,
): RowWindow {
  if (!/^\d{1,9}$/.test(pageToken)) throw invalidParameter('pageToken');
  return { limit: Math.min(perPage ?? normalPerPage, maxPerPage), offset: Number(pageToken) };
}

function pagingOf({ limit, offset }: RowWindow, hasNext: boolean) {
  return {
    perPage: limit,
    pageToken: String(offset),
    firstPageToken: '0',
    ...(hasNext && { nextPageToken: String(offset + limit) }),
    ...(offset > 0 && { previousPageToken: String(Math.max(0, offset - limit)) }),
  };
}

/** Routes of batches of high-volume texts. */
export const smsBatchRoutes = {
  createSmsBatch,
  listSmsBatches,
  readSmsBatch,
  listSmsBatchMessages,
} satisfies Routes;
