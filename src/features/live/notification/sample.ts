import { randomUUID } from 'node:crypto';
import type { Notification } from '../../../contract/subscription.ts';
import { filterPath, isEventName, type EventName } from './event-kinds.ts';

export interface SampleSettings {
  readonly accountId: string;
  readonly extensionId: string;
  /** Time of the event in milliseconds since 1970. */
  readonly now: number;
}

type Body = (settings: SampleSettings) => Readonly<Record<string, unknown>>;

const presence: Body = ({ extensionId }) => ({
  extensionId,
  telephonyStatus: 'Ringing',
  sequence: 1,
  presenceStatus: 'Available',
  userStatus: 'Available',
  dndStatus: 'TakeAllCalls',
  allowSeeMyPresence: true,
  ringOnMonitoredCall: false,
  pickUpCallsOnHold: false,
});

function calls(sip: object): Body {
  return (settings) => ({
    ...presence(settings),
    activeCalls: [
      {
        id: '1',
        direction: 'Inbound',
        from: '+16505550100',
        to: '+16505550101',
        telephonyStatus: 'Ringing',
        sessionId: '1',
        ...sip,
      },
    ],
    totalActiveCalls: 1,
  });
}

/** Sample bodies by short name (EVENT-17 to EVENT-24). */
const bodies: Readonly<Record<EventName, Body>> = {
  messages: ({ accountId, extensionId, now }) => ({
    accountId,
    extensionId,
    lastUpdated: new Date(now).toISOString(),
    changes: [{ type: 'SMS', newCount: 1, updatedCount: 0, newMessageIds: ['1'] }],
  }),
  presence,
  'presence:detailed': calls({}),
  'presence:sip': calls({ sipData: { callId: 'call', fromTag: 'a', toTag: 'b' } }),
  lines: ({ extensionId }) => ({ extension: [{ id: extensionId }], sequence: 1 }),
  extensions: ({ extensionId }) => ({
    extensions: [{ extensionId, eventType: 'Update', hints: ['ExtensionInfo'] }],
  }),
};

/** Event names that have a sample. */
export const sampleNames: readonly string[] = [...Object.keys(bodies), 'reminder'];

/** Creates a valid notification with a new uuid. Undefined for an unknown name. */
export function sampleNotification(name: string, settings: SampleSettings): Notification | undefined {
  const { accountId, extensionId, now } = settings;
  const envelope = {
    uuid: randomUUID(),
    timestamp: new Date(now).toISOString(),
    subscriptionId: randomUUID(),
    ownerId: extensionId,
  };
  if (name === 'reminder') {
    const event = `/restapi/v1.0/subscription/~?threshold=120&interval=60`;
    return { ...envelope, event, body: { expiresIn: 120 } };
  }
  if (!isEventName(name)) return undefined;
  const event = filterPath(name, `/restapi/v1.0/account/${accountId}`, extensionId);
  return { ...envelope, event, body: bodies[name](settings) };
}
