import { idText } from '../service/world.ts';
import { messageId, names, ofRead, type CommandCase, type Stage } from './command-case.ts';

const none = (): readonly string[] => [];
/** A call record's id, or its session when several records belong to it. */
const firstCall = ({ service }: Stage): readonly string[] => {
  const row = service.world.calls[0];
  return [idText(row?.value['sessionId'])];
};

export const callCases: Readonly<Record<string, CommandCase>> = {
  'calllog list': { words: () => ['--since', '30d'], decisive: 'listCalls', shows: 'rows', ends: ofRead },
  'calllog show': { words: firstCall, decisive: 'listCalls', shows: 'rows', ends: ofRead },
  'calllog active': { words: none, decisive: 'listActiveCalls', shows: 'rows', ends: ofRead },
  'calllog sync': {
    words: () => ['--since', '2d'],
    decisive: 'listCalls',
    shows: names('received'),
    ends: [1, 7],
  },
  'calllog stats': {
    words: () => ['--since', '2d'],
    decisive: 'listCalls',
    shows: names('totals'),
    ends: ofRead,
  },
  download: {
    words: (stage) => [messageId(stage, 'Fax'), '--dir', 'out', '--clobber'],
    decisive: 'readMessage',
    shows: names('downloaded'),
    ends: [1, 8],
  },
};
