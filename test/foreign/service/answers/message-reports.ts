import { bodyOf, recordOr404, type Answer } from '../content.ts';
import { messageReport } from '../shapes/message-reports.ts';
import { change, idText } from '../world.ts';

export const messageReports = {
  createMessageReport: (asked) => {
    const { messageTypes = ['SMS'] } = bodyOf(asked);
    const row = asked.world.row(messageReport, { status: 'Accepted', messageTypes }, [
      'messageTypes',
      'status',
    ]);
    asked.world.messageReports.push(row);
    return { kind: 'record', row };
  },
  readMessageReport: ({ world, parameters }) => {
    const row = world.messageReports.find(({ value }) => idText(value['id']) === parameters['report']);
    if (row) change(row, { status: 'Completed' });
    return recordOr404(row, 'taskId');
  },
  listMessageReportFiles: ({ world }) => ({ kind: 'list', rows: world.messageReportFiles }),
} satisfies Readonly<Record<string, Answer>>;
