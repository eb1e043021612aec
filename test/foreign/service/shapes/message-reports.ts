import { address, id, integer, list, moment, record, words } from '../shape.ts';

/** Report of messages: `id` and `status` let a client wait for it. */
export const messageReport = record(
  {
    id,
    uri: address,
    status: words('Accepted', 'Pending', 'InProgress', 'AttemptFailed', 'Failed', 'Completed', 'Cancelled'),
    accountId: id,
    extensionId: id,
    dateFrom: moment,
    dateTo: moment,
    startTime: moment,
    finishTime: moment,
    messageTypes: list(words('Fax', 'SMS', 'VoiceMail', 'Pager')),
  },
  'id',
  'status',
);

/** File of a report, which is downloaded from `uri`. */
export const messageReportFile = record({ size: integer, uri: address }, 'uri');
