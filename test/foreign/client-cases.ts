import type { Client, HttpReply } from '../../src/client/index.ts';
import type { ForeignService } from './service/foreign-service.ts';
import type { OperationName } from './service/operations.ts';
import type { Members } from './service/shape.ts';
import { ringOut } from './service/shapes/calls.ts';
import { groupId, idText, myTelephone, otherTelephone, type Row, type World } from './service/world.ts';

/** How a method of the client is called, and what its replies prove. */
export interface ClientCase {
  /** Operations that it calls; the first one receives the disallowed replies. */
  readonly operation: OperationName;
  /** The operation in dialect `current`, if it differs. */
  readonly current?: OperationName;
  /** Returns the received records in order; `undefined` for a method that returns nothing. */
  readonly call: (client: Client, service: ForeignService) => Promise<unknown>;
  /** How a disallowed reply ends: `unknown` for a write that must not be repeated, `rejected` for all others. */
  readonly ends: 'unknown' | 'rejected';
  /** The method returns the reply unread, so that no reply is disallowed: its caller reads it. */
  readonly isOpen?: boolean;
  /** Names of disallowed replies that this method may accept; the case states the reason. */
  readonly believes?: readonly string[];
}

const read = (operation: OperationName, call: ClientCase['call']): ClientCase => ({
  operation,
  call,
  ends: 'rejected',
});
const once = (operation: OperationName, call: ClientCase['call']): ClientCase => ({
  operation,
  call,
  ends: 'unknown',
});

async function all<T>(records: AsyncIterable<T>): Promise<readonly T[]> {
  const every: T[] = [];
  for await (const record of records) every.push(record);
  return every;
}

function idOf(row: Row | undefined): string {
  if (!row) throw new Error('the world has no such row');
  return idText(row.value['id']);
}
const queue = ({ world }: ForeignService): string => idOf(world.extensionBy('extensionNumber', '201'));
const person = ({ world }: ForeignService): string => idOf(world.extensionBy('extensionNumber', '102'));
const joining = (service: ForeignService) => ({
  departmentId: queue(service),
  addedExtensionIds: [person(service)],
});
const messageIds = ({ world }: ForeignService): readonly string[] => world.messages.slice(0, 3).map(idOf);
const callIds = ({ world }: ForeignService): readonly string[] => world.calls.slice(0, 2).map(idOf);
const first = (list: readonly Row[]): string => idOf(list[0]);

function startedRingOut(world: World): string {
  const row = world.ringOuts[0] ?? world.row(ringOut, { id: 4_711_000_001n });
  if (world.ringOuts.length === 0) world.ringOuts.push(row);
  return idOf(row);
}

async function textOf(reply: HttpReply): Promise<undefined> {
  if ((await reply.text()) === '') throw new Error('the reply is empty');
  return undefined;
}

const sms = { from: { phoneNumber: '+16505550101' }, to: [{ phoneNumber: otherTelephone }], text: 'hi' };
const pager = { from: { extensionNumber: '101' }, to: [{ extensionNumber: '102' }], text: 'hi' };
const document = {
  fileName: 'a.txt',
  contentType: 'text/plain',
  size: 5,
  open: async function* () {
    yield Buffer.from('hello');
  },
};
const filters = ['/restapi/v1.0/account/~/extension/~/presence'];
const channel = { eventFilters: filters, deliveryMode: { transportType: 'PubNub' } } as const;

/** Every method of every resource of the client, by `resource.method`. */
export const clientCases: Readonly<Record<string, ClientCase>> = {
  'extensions.list': read('listExtensions', (client) => all(client.extensions.list())),
  'extensions.all': read('listExtensions', (client) => client.extensions.all()),
  'extensions.get': read('readExtension', (client, service) => client.extensions.get(person(service))),
  'extensions.update': read('updateExtensions', (client, service) =>
    client.extensions.update([{ id: person(service), contact: { department: 'Sales' } }]),
  ),
  'extensions.updateTask': read('readExtensionTask', (client) => client.extensions.updateTask('task-1')),
  'businessHours.get': read('readHours', (client) => client.businessHours.get('company')),
  'businessHours.update': read('updateHours', (client, service) =>
    client.businessHours.update(
      { extensionId: person(service) },
      { schedule: { weeklyRanges: { monday: [{ from: '08:00', to: '12:00' }] } } },
    ),
  ),
  'answeringRules.list': read('listRules', (client, service) =>
    all(client.answeringRules.list(person(service))),
  ),
  'answeringRules.get': read('readRule', (client, service) =>
    client.answeringRules.get(person(service), first(service.world.rules)),
  ),
  'answeringRules.create': read('createRule', (client, service) =>
    client.answeringRules.create(person(service), { type: 'Custom', name: 'Holiday' }),
  ),
  'answeringRules.update': read('updateRule', (client, service) =>
    client.answeringRules.update(person(service), first(service.world.rules), { enabled: false }),
  ),
  'answeringRules.delete': read('deleteRule', (client, service) =>
    client.answeringRules.delete(person(service), first(service.world.rules)),
  ),
  'auditTrail.search': read('searchAuditTrail', (client) => all(client.auditTrail.search())),
  'smsBatches.create': once('createSmsBatch', (client) =>
    client.smsBatches.create({ from: myTelephone, messages: [{ to: [otherTelephone], text: 'hi' }] }),
  ),
  'smsBatches.list': read('listSmsBatches', (client) => all(client.smsBatches.list())),
  'smsBatches.get': read('readSmsBatch', (client, { world }) =>
    client.smsBatches.get(first(world.smsBatches)),
  ),
  'smsBatches.messages': read('listSmsBatchMessages', (client) => all(client.smsBatches.messages())),
  'messageReports.create': read('createMessageReport', (client) =>
    client.messageReports.create({ messageTypes: ['SMS'] }),
  ),
  'messageReports.get': read('readMessageReport', (client, { world }) =>
    client.messageReports.get(first(world.messageReports)),
  ),
  'messageReports.files': read('listMessageReportFiles', (client) => client.messageReports.files('report-1')),
  'departments.members': read('listQueueMembers', (client, service) =>
    all(client.departments.members(queue(service))),
  ),
  'departments.bulkAssign': {
    ...read('assignInQueues', (client, service) => client.departments.bulkAssign([joining(service)])),
    current: 'assignInQueue',
  },
  'callQueues.list': read('listQueues', (client) => all(client.callQueues.list())),
  'callQueues.get': read('readQueue', (client, service) => client.callQueues.get(queue(service))),
  'callQueues.update': read('updateQueue', (client, service) =>
    client.callQueues.update(queue(service), { alertTimer: 45 }),
  ),
  'callQueues.create': read('createExtension', (client) =>
    client.callQueues.create({ name: 'Night desk', extensionNumber: '290' }),
  ),
  'callQueues.members': read('listQueueMembers', (client, service) =>
    all(client.callQueues.members(queue(service))),
  ),
  'callQueues.bulkAssign': read('assignInQueue', (client, service) =>
    client.callQueues.bulkAssign([joining(service)]),
  ),
  'callQueues.availability': read('readQueuePresence', (client, service) =>
    client.callQueues.availability(queue(service)),
  ),
  'callQueues.setAvailability': read('updateQueuePresence', (client, service) =>
    client.callQueues.setAvailability(queue(service), [{ id: person(service), accepts: false }]),
  ),
  'callQueues.availabilityOf': read('readQueuePresenceOfPerson', (client, service) =>
    client.callQueues.availabilityOf(person(service)),
  ),
  'callQueues.setAvailabilityOf': read('updateQueuePresenceOfPerson', (client, service) =>
    client.callQueues.setAvailabilityOf(person(service), [{ id: queue(service), accepts: false }]),
  ),
  'extensions.features': read('readFeatures', (client) =>
    client.extensions.features('~', ['NewCallHandlingAndForwarding']),
  ),
  'presence.list': read('listPresences', (client) => all(client.presence.list())),
  'presence.get': read('readPresence', (client, service) => client.presence.get(person(service))),
  'presence.getMany': read('readPresence', (client, service) =>
    all(client.presence.getMany([person(service), queue(service)])),
  ),
  'presence.update': read('updatePresence', (client, service) =>
    client.presence.update(person(service), { message: 'lunch' }),
  ),
  'phoneNumbers.list': read('listPhoneNumbers', (client) => all(client.phoneNumbers.list())),
  'phoneNumbers.forwarding': read('listForwardingNumbers', (client) => all(client.phoneNumbers.forwarding())),
  'messages.sendSms': once('sendSms', (client) => client.messages.sendSms(sms)),
  'messages.sendMms': once('sendSms', (client) => client.messages.sendMms(sms, [document])),
  'messages.sendPager': once('sendPager', (client) => client.messages.sendPager(pager)),
  'messages.list': read('listMessages', (client) => all(client.messages.list())),
  'messages.get': read('readMessage', (client, { world }) => client.messages.get(first(world.messages))),
  'messages.getMany': read('readMessage', (client, service) =>
    all(client.messages.getMany(messageIds(service))),
  ),
  'messages.update': read('updateMessage', (client, service) =>
    client.messages.update(messageIds(service), { readStatus: 'Read' }),
  ),
  'messages.updateEach': read('updateMessage', (client, service) =>
    all(client.messages.updateEach(messageIds(service), { readStatus: 'Read' })),
  ),
  'messages.patch': read('patchMessage', (client, service) =>
    client.messages.patch(messageIds(service), { readStatus: 'Unread' }),
  ),
  'messages.patchEach': read('patchMessage', (client, service) =>
    all(client.messages.patchEach(messageIds(service), { readStatus: 'Unread' })),
  ),
  'messages.delete': read('deleteMessage', (client, service) => client.messages.delete(messageIds(service))),
  'messages.deleteEach': read('deleteMessage', (client, service) =>
    all(client.messages.deleteEach(messageIds(service))),
  ),
  'messages.deleteWhere': read('deleteMessages', (client) => client.messages.deleteWhere({ type: 'Fax' })),
  'messages.open': {
    ...read('readMessage', async (client, { world }) =>
      textOf(await client.messages.open(first(world.messages))),
    ),
    isOpen: true,
  },
  'messages.sync': read('syncMessages', (client) => client.messages.sync({ syncType: 'FSync' })),
  'messages.openSync': {
    ...read('syncMessages', async (client) => textOf(await client.messages.openSync({ syncType: 'FSync' }))),
    isOpen: true,
  },
  'faxes.send': once('sendFax', (client) => client.faxes.send({ to: sms.to }, [document])),
  'faxes.resend': once('sendFax', (client, { world }) =>
    client.faxes.resend({ originalMessageId: first(world.messages) }),
  ),
  'ringOuts.start': once('startRingOut', (client) =>
    client.ringOuts.start({ from: sms.from, to: { phoneNumber: otherTelephone } }),
  ),
  'ringOuts.get': read('readRingOut', (client, { world }) => client.ringOuts.get(startedRingOut(world))),
  'ringOuts.cancel': read('cancelRingOut', (client, { world }) =>
    client.ringOuts.cancel(startedRingOut(world)),
  ),
  'subscriptions.create': once('createSubscription', (client) => client.subscriptions.create(channel)),
  'subscriptions.list': read('listSubscriptions', (client) => client.subscriptions.list()),
  'subscriptions.get': read('readSubscription', (client, { world }) =>
    client.subscriptions.get(first(world.subscriptions)),
  ),
  'subscriptions.update': read('updateSubscription', (client, { world }) =>
    client.subscriptions.update(first(world.subscriptions), { eventFilters: filters }),
  ),
  'subscriptions.renew': read('renewSubscription', (client, { world }) =>
    client.subscriptions.renew(first(world.subscriptions)),
  ),
  'subscriptions.delete': read('deleteSubscription', (client, { world }) =>
    client.subscriptions.delete(first(world.subscriptions)),
  ),
  'subscriptions.webSocketToken': read('socketToken', (client) => client.subscriptions.webSocketToken()),
  'callLog.list': read('listCalls', (client) => all(client.callLog.list('account'))),
  'callLog.get': read('readCall', (client, service) => client.callLog.get('account', callIds(service))),
  'callLog.sync': read('syncCalls', (client) => client.callLog.sync({ syncType: 'FSync' })),
  'callLog.active': read('listActiveCalls', async (client) => activeCalls(client)),
  'recordings.get': read('readRecording', (client) => client.recordings.get('4711')),
  'chatWebhooks.create': once('createChatWebhook', (client) => client.chatWebhooks.create(groupId)),
  'chatWebhooks.list': read('listChatWebhooks', (client) => client.chatWebhooks.list()),
  'chatWebhooks.get': read('readChatWebhook', (client, { world }) =>
    client.chatWebhooks.get(first(world.chatWebhooks)),
  ),
  'chatWebhooks.delete': read('deleteChatWebhook', (client, { world }) =>
    client.chatWebhooks.delete(first(world.chatWebhooks)),
  ),
  'chatWebhooks.set': read('activateChatWebhook', (client, { world }) =>
    client.chatWebhooks.set(first(world.chatWebhooks), 'activate'),
  ),
  'media.open': {
    ...read('readRecordingContent', async (client, { world }) => {
      const uri = `${world.setting.origin}/restapi/v1.0/account/1/recording/4711/content`;
      return textOf(await client.media.open(uri));
    }),
    isOpen: true,
  },
};

/** A list or, from another version of the client, records one by one. */
async function activeCalls(client: Client): Promise<readonly unknown[]> {
  const calls: unknown = await client.callLog.active('account');
  return Array.isArray(calls) ? calls : all(calls as AsyncIterable<unknown>);
}

/** The rows that the result of a method describes. */
export function rowsIn(result: unknown): readonly Members[] {
  const values = Array.isArray(result) ? result : [result];
  return values.flatMap((value: unknown): readonly Members[] => {
    if (typeof value !== 'object' || value === null) return [];
    // The result for one of several ids contains the row.
    const isOutcome = 'status' in value && 'reason' in value && 'id' in value;
    const inside = 'message' in value ? value.message : undefined;
    const found = 'presence' in value ? value.presence : inside;
    const row = isOutcome ? found : value;
    return typeof row === 'object' && row !== null ? [row as Members] : [];
  });
}
