import { gzipSync } from 'node:zlib';
import { messageTypes } from '../../contract/enums.ts';
import { listDefaultSeconds } from '../../contract/limits.ts';
import { stringifyJson } from '../../platform/json.ts';
import { mediaReply } from '../media/media-reply.ts';
import { toMessage } from '../messages/view.ts';
import { requireAdministrator } from '../request/access.ts';
import { accountOf, type Authorized, type Handler, type Routes } from '../request/call.ts';
import { readDate } from '../request/dates.ts';
import { invalidParameter, notFound } from '../request/errors.ts';
import { accountPath, addressOf, mediaAddressOf } from '../request/uris.ts';
import type { World } from '../world/world.ts';
import type { ReportRow } from './store.ts';

/**
 * Milliseconds after which a report is in progress, and after which it is complete (docs/internals/service-gaps.md).
 */
const startMilliseconds = 500;
const endMilliseconds = 1500;

/** Serves POST account/{accountId}/message-store-report (REPORT-1). */
const createMessageReport: Handler<'createMessageReport'> = (call) => {
  const { world, body, caller } = call;
  const now = world.clock.now();
  const dateTo = readDate('dateTo', body.dateTo) ?? now;
  const dateFrom = readDate('dateFrom', body.dateFrom) ?? dateTo - listDefaultSeconds * 1000;
  if (dateFrom > dateTo) throw invalidParameter('dateFrom', 'dateFrom is later than dateTo');
  const types = body.messageTypes?.length ? body.messageTypes : messageTypes;
  const report: ReportRow = {
    id: world.random.uuid(),
    accountId: accountOf(call).id,
    extensionId: caller.extension.id,
    createdAt: now,
    dateFrom,
    dateTo,
    types: JSON.stringify(types),
  };
  world.messageReports.add(report);
  return { status: 202, json: toReport(world, report) };
};

/** Serves GET account/{accountId}/message-store-report/{taskId} (REPORT-2). */
const readMessageReport: Handler<'readMessageReport'> = (call) => ({
  json: toReport(call.world, reportOf(call)),
});

/** Serves GET account/{accountId}/message-store-report/{taskId}/archive: a file for each mailbox (REPORT-3). */
const listMessageReportFiles: Handler<'listMessageReportFiles'> = (call) => {
  const { world } = call;
  const report = completeReport(call);
  return {
    json: {
      records: world.messageReports.mailboxes(report).map((mailbox) => ({
        size: contentOf(world, report, mailbox).length,
        uri: mediaAddressOf(world, `${pathOf(report)}/archive/${mailbox}`),
      })),
    },
  };
};

/** Serves GET account/{accountId}/message-store-report/{taskId}/archive/{contentId} (REPORT-4). */
const readMessageReportFile: Handler<'readMessageReportFile'> = (call) => {
  const { world, params } = call;
  const report = completeReport(call);
  const mailbox = Number(params['contentId']);
  if (!world.messageReports.mailboxes(report).includes(mailbox)) throw notFound('contentId');
  return mediaReply(call, {
    bytes: contentOf(world, report, mailbox),
    contentType: 'application/gzip',
    modifiedAt: report.createdAt + endMilliseconds,
    fileName: `messages-${mailbox}.ndjson.gz`,
  });
};

function reportOf(call: Authorized): ReportRow {
  const report = call.world.messageReports.byId(call.params['taskId'] ?? '');
  if (report?.accountId !== accountOf(call).id) throw notFound('taskId');
  return report;
}

/** Returns a complete report. @throws {ServiceError} 404 CMN-102 for a report that is not complete. */
function completeReport(call: Authorized): ReportRow {
  const report = reportOf(call);
  if (statusOf(call.world, report) !== 'Completed') throw notFound('taskId');
  return report;
}

function statusOf(world: World, { createdAt }: ReportRow): 'Accepted' | 'InProgress' | 'Completed' {
  const age = world.clock.now() - createdAt;
  if (age < startMilliseconds) return 'Accepted';
  return age < endMilliseconds ? 'InProgress' : 'Completed';
}

function contentOf(world: World, report: ReportRow, mailbox: number): Buffer {
  const rows = world.messageReports.messages(report, mailbox);
  return gzipSync(rows.map((row) => `${stringifyJson(toMessage(world, row))}\n`).join(''));
}

function pathOf({ accountId, id }: ReportRow): string {
  return `${accountPath(accountId)}/message-store-report/${id}`;
}

function toReport(world: World, report: ReportRow) {
  const status = statusOf(world, report);
  const { createdAt } = report;
  return {
    id: report.id,
    uri: addressOf(world, pathOf(report)),
    status,
    accountId: String(report.accountId),
    extensionId: String(report.extensionId),
    dateFrom: world.clock.iso(report.dateFrom),
    dateTo: world.clock.iso(report.dateTo),
    messageTypes: JSON.parse(report.types) as unknown,
    ...(status !== 'Accepted' && { startTime: world.clock.iso(createdAt + startMilliseconds) }),
    ...(status === 'Completed' && { finishTime: world.clock.iso(createdAt + endMilliseconds) }),
  };
}

/** Reports of the messages of an account. */
export const messageReportRoutes = {
  createMessageReport: { guard: requireAdministrator, handler: createMessageReport },
  readMessageReport: { guard: requireAdministrator, handler: readMessageReport },
  listMessageReportFiles: { guard: requireAdministrator, handler: listMessageReportFiles },
  readMessageReportFile: { guard: requireAdministrator, handler: readMessageReportFile },
} satisfies Routes;
