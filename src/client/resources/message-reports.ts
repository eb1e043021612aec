import type { List } from '../../contract/common.ts';
import type {
  MessageReport,
  MessageReportFile,
  MessageReportRequest,
} from '../../contract/message-report.ts';
import type { RequestOptions } from '../call.ts';
import { path } from '../path.ts';
import { messageReportFileShape, messageReportShape } from '../shapes/message-report.ts';
import { withId } from '../shapes/same-id.ts';
import { optionalListOf } from '../shapes/shape.ts';
import type { Transport } from '../transport.ts';

const collection = '/restapi/v1.0/account/~/message-store-report';

/** Reports of all messages of the account: docs/spec/message-reports.md. Only dialect `current` has them. */
export class MessageReports {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * POST /account/~/message-store-report: starts a report. Dates are ISO 8601 with an offset.
   * @throws {OutcomeUnknownError} without a reply: the service may be creating a report.
   */
  async create(request: MessageReportRequest, options?: RequestOptions): Promise<MessageReport> {
    return this.#transport.send(
      { method: 'POST', path: collection, body: request, once: true, reply: messageReportShape },
      options,
    );
  }

  /** GET /account/~/message-store-report/{id}: the status of a report. */
  async get(reportId: string, options?: RequestOptions): Promise<MessageReport> {
    const call = {
      method: 'GET',
      path: collection + path`/${reportId}`,
      reply: withId(messageReportShape, reportId),
    } as const;
    return this.#transport.send(call, options);
  }

  /** GET /account/~/message-store-report/{id}/archive: the files of a completed report, which `media.open` reads. */
  async files(reportId: string, options?: RequestOptions): Promise<readonly MessageReportFile[]> {
    const reply = await this.#transport.send<List<MessageReportFile>>(
      {
        method: 'GET',
        path: collection + path`/${reportId}/archive`,
        reply: optionalListOf(messageReportFileShape),
      },
      options,
    );
    return reply.records;
  }
}
