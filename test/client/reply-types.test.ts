import { describe, expect, expectTypeOf, it } from 'vitest';
import type {
  ActiveCall,
  Attachment,
  CallLeg,
  CallLogRecord,
  CallQueueInfo,
  DepartmentMember,
  Extension,
  ForwardingNumber,
  Message,
  PhoneNumber,
  Presence,
  RingOut,
  Subscription,
  SyncReply,
} from '../../src/client/index.ts';
import {
  bulkUpdateTaskShape,
  extensionShape,
  forwardingNumberShape,
  memberShape,
  phoneNumberShape,
  presenceShape,
} from '../../src/client/shapes/account.ts';
import { auditShape } from '../../src/client/shapes/audit.ts';
import { callQueueShape } from '../../src/client/shapes/call-queue.ts';
import { callShape, callSyncShape, ringOutShape } from '../../src/client/shapes/call.ts';
import { subscriptionShape } from '../../src/client/shapes/event.ts';
import { messageShape, messageSyncShape } from '../../src/client/shapes/message.ts';
import * as contract from '../../src/contract/index.ts';

/** Names of the members that a type requires. */
type Required<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T];

const uri = 'https://service.example/1';
const time = '2026-01-05T09:00:00.000Z';
/** Members that the published form of a call requires; the call log of dialect `current`. */
const call = { startTime: time, type: 'Voice', direction: 'Inbound', action: 'Phone Call' };
const subscription = {
  uri,
  id: 's',
  eventFilters: [],
  expirationTime: time,
  creationTime: time,
  status: 'Active',
  deliveryMode: { transportType: 'WebSocket' },
};

/** For each record, a reply with the members that the published form requires or the client checks. */
const replies = {
  extension: [
    extensionShape,
    contract.Extension,
    { id: 1, type: 'User', status: 'Enabled', permissions: { admin: {} }, site: {} },
  ],
  member: [memberShape, contract.DepartmentMember, { id: 1 }],
  'phone number': [phoneNumberShape, contract.PhoneNumber, { id: 1, country: {} }],
  'forwarding number': [forwardingNumberShape, contract.ForwardingNumber, { id: '1' }],
  presence: [
    presenceShape,
    contract.Presence,
    { userStatus: 'Available', activeCalls: [{ sipData: {}, callInfo: {} }] },
  ],
  task: [bulkUpdateTaskShape, contract.ExtensionBulkUpdateTask, { id: '1', status: 'Accepted' }],
  'audit record': [auditShape, contract.AuditRecord, { id: '1' }],
  queue: [callQueueShape, contract.CallQueueInfo, { id: '1' }],
  call: [
    callShape,
    contract.CallLogRecord,
    { ...call, uri, id: '1', sessionId: '2', legs: [{ ...call, legType: 'Accept' }] },
  ],
  'sync of calls': [
    callSyncShape,
    contract.CallLogSyncReply,
    { uri, records: [], syncInfo: { syncType: 'FSync', syncToken: 't', syncTime: time } },
  ],
  RingOut: [
    ringOutShape,
    contract.RingOut,
    { id: '1', status: { callStatus: 'Success', callerStatus: 'Success', calleeStatus: 'Success' } },
  ],
  message: [messageShape, contract.Message, { id: 1 }],
  'message with parties': [
    messageShape,
    contract.Message,
    { id: 1, to: [{ contact: {} }], attachments: [{}], conversation: {} },
  ],
  'sync of messages': [
    messageSyncShape,
    contract.SyncReply,
    { records: [{ id: 1, availability: 'Deleted' }], syncInfo: { syncToken: 't' } },
  ],
  subscription: [subscriptionShape, contract.Subscription, subscription],
  'blacklisted subscription': [
    subscriptionShape,
    contract.Subscription,
    { ...subscription, blacklistedData: {}, disabledFilters: [{ filter: '/a', reason: 'r' }] },
  ],
} as const;

it.each(Object.entries(replies))(
  'the type of a reply fits the %s with as few members as the published form allows',
  (_, [shape, schema, published]) => {
    const reply: unknown = structuredClone(published);
    expect(shape.problem(reply)).toBeUndefined();
    shape.correct(reply);
    expect(schema.safeParse(reply).error).toBeUndefined();
  },
);

describe('the types of the library', () => {
  it('require only members that the published form always has, or that the client checks or adds', () => {
    expectTypeOf<Required<Extension>>().toEqualTypeOf<'id' | 'name' | 'type' | 'status'>();
    expectTypeOf<Required<DepartmentMember>>().toEqualTypeOf<'id'>();
    expectTypeOf<Required<CallQueueInfo>>().toEqualTypeOf<'id'>();
    expectTypeOf<Required<PhoneNumber>>().toEqualTypeOf<'id' | 'phoneNumber' | 'features'>();
    expectTypeOf<Required<ForwardingNumber>>().toEqualTypeOf<'id' | 'phoneNumber' | 'label' | 'features'>();
    expectTypeOf<Required<Presence>>().toEqualTypeOf<'extension'>();
    expectTypeOf<Required<ActiveCall>>().toEqualTypeOf<never>();
    expectTypeOf<Required<Message>>().toEqualTypeOf<'id' | 'to' | 'from' | 'attachments'>();
    expectTypeOf<Required<Attachment>>().toEqualTypeOf<never>();
    expectTypeOf<Required<SyncReply['syncInfo']>>().toEqualTypeOf<'syncToken'>();
    expectTypeOf<Required<RingOut>>().toEqualTypeOf<'id' | 'status'>();
    expectTypeOf<Required<Subscription>>().toEqualTypeOf<keyof typeof subscription>();
    expectTypeOf<Required<CallLeg>>().toEqualTypeOf<keyof typeof call | 'legType'>();
    expectTypeOf<Required<CallLogRecord>>().toEqualTypeOf<keyof typeof call | 'uri' | 'id' | 'sessionId'>();
  });

  it('have optional values in members that the service may omit', () => {
    expectTypeOf<CallLogRecord['duration']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Message['creationTime']>().toEqualTypeOf<string | undefined>();
  });
});
