import { deletedText, memberNumber, myTelephone, otherTelephone } from '../service/world.ts';
import {
  idOf,
  messageId,
  names,
  ofChange,
  ofLookedAt,
  ofOnce,
  ofRead,
  type CommandCase,
} from './command-case.ts';

const none = (): readonly string[] => [];
const ids: CommandCase['words'] = (stage) => [
  messageId(stage, 'SMS', 'hello'),
  messageId(stage, 'SMS', 'back'),
];
const sent = { shows: 'rows', ends: ofOnce, isOnce: true } as const;
const listed = { decisive: 'listMessages', shows: 'rows', ends: ofRead } as const;
const changed = { shows: 'ids', ends: ofChange } as const;
const lookedAt = { shows: 'ids', ends: ofLookedAt } as const;
/** A text whose outcome is unknown. */
const unknownText = {
  before: [['sms', 'send', '--from', myTelephone, '--to', otherTelephone, 'lost', '--yes']],
  lost: 'sendSms',
} as const;
/** Looks for the text among the messages; without a list of messages its outcome stays unknown. */
const resolved: CommandCase = {
  words: () => ['--all'],
  ...unknownText,
  decisive: 'listMessages',
  shows: names('"state"'),
  // In the first minute after sending, a text that is not found may still have been sent.
  exits: [14],
  ends: [1, 14],
};
/** A copy that is unchanged, or that lacks records which could not be read. */
const ofSync = [1, 7, 8] as const;

/** The receivers of a batch of texts. */
export const batchReceivers = ['+16505550112', '+16505550113', '+16505550114', '+16505550115'];

/** Each text that the service rejected is shown as failed, and each other one as sent. */
const batchStatuses: CommandCase['shows'] = (shown, { service }) => {
  const row = service.exchanges.find(({ operation }) => operation === 'createSmsBatch')?.rows[0];
  const rejected = (row?.['rejected'] ?? []) as readonly { index?: number; to?: readonly string[] }[];
  const expected = batchReceivers.map((to, at) =>
    rejected.some((one) => (one.index ?? at) === at && (one.to?.[0] ?? to) === to) ? 'failed' : 'sent',
  );
  const statuses = (shown as readonly { readonly status: string }[]).map(({ status }) => status);
  return statuses.join() === expected.join() ? undefined : `${statuses.join()} instead of ${expected.join()}`;
};

export const messageCases: Readonly<Record<string, CommandCase>> = {
  'sms send': {
    words: () => ['--from', myTelephone, '--to', otherTelephone, 'hi', '--yes'],
    decisive: 'sendSms',
    ...sent,
  },
  'sms send --high-volume': {
    command: 'sms send',
    dialect: 'current',
    words: () =>
      `--high-volume --file texts.csv --template Hi{{name}} --from ${myTelephone} --yes`.split(' '),
    decisive: 'createSmsBatch',
    ...sent,
    shows: batchStatuses,
    exits: [0, 8],
  },
  'sms list': { words: none, ...listed },
  'sms thread': { words: () => [otherTelephone], ...listed },
  'sms numbers': { words: none, decisive: 'listPhoneNumbers', shows: names(myTelephone), ends: ofRead },
  'sms batches': { words: none, dialect: 'current', decisive: 'listSmsBatches', shows: 'ids', ends: ofRead },
  'sms batch': {
    words: ({ service }) => [idOf(service.world.smsBatches[0])],
    dialect: 'current',
    decisive: 'listSmsBatchMessages',
    shows: names('+16505550113'),
    ends: ofRead,
  },
  'message report': {
    words: none,
    dialect: 'current',
    decisive: 'listMessageReportFiles',
    shows: 'rows',
    ends: ofRead,
  },
  'sms resolve': resolved,
  'pager send': { words: () => ['--to', memberNumber, 'hi', '--yes'], decisive: 'sendPager', ...sent },
  'pager reply': {
    words: (stage) => [messageId(stage, 'Pager'), 'back', '--yes'],
    decisive: 'sendPager',
    ...sent,
  },
  'fax send': { words: () => ['--to', '+14155550100', 'a.txt', '--yes'], decisive: 'sendFax', ...sent },
  'fax list': { words: none, ...listed },
  'fax status': {
    words: (stage) => [messageId(stage, 'Fax')],
    decisive: 'readMessage',
    shows: 'rows',
    ends: ofRead,
  },
  'fax resend': { words: (stage) => [messageId(stage, 'Fax'), '--yes'], decisive: 'sendFax', ...sent },
  'fax cancel': { words: (stage) => [messageId(stage, 'Fax')], decisive: 'deleteMessage', ...lookedAt },
  'message list': { words: none, ...listed },
  'message show': { words: ids, decisive: 'readMessage', shows: 'rows', ends: ofRead },
  'message thread': { words: (stage) => [messageId(stage, 'SMS', 'hello')], ...listed },
  'message read': { words: ids, decisive: 'updateMessage', ...changed },
  'message unread': { words: ids, decisive: 'updateMessage', ...changed },
  'message delete': { words: (stage) => [...ids(stage), '--yes'], decisive: 'deleteMessage', ...lookedAt },
  'message restore': {
    words: (stage) => [messageId(stage, 'SMS', deletedText)],
    decisive: 'patchMessage',
    ...changed,
  },
  'message purge': { words: (stage) => [...ids(stage), '--yes'], decisive: 'deleteMessage', ...lookedAt },
  'voicemail list': { words: none, ...listed },
  'outcome resolve': resolved,
  // A message without a type or a creation time cannot be stored: it is reported, and the others are copied.
  sync: { exits: [0, 8], words: none, decisive: 'syncMessages', shows: names('added'), ends: ofSync },
  'sync verify': {
    words: none,
    before: [['sync']],
    decisive: 'readMessage',
    shows: names('sample'),
    ends: [1, 7, 11],
  },
};
