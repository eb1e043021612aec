import { Dice } from '../../support/dice.ts';
import type { Fault, Outgoing } from './fault.ts';

const dice = new Dice('misbehaving WebSocket');
/** Ids of events at which a fault occurs, the same in every run. */
const some = new Set(Array.from({ length: 4 }, () => dice.integer(3, 25)));
const one = dice.integer(5, 20);
const error = (status: number, errorCode: string, message: string): string =>
  JSON.stringify([
    { type: 'Error', messageId: 'e', status },
    { errorCode, message },
  ]);

/** Replaces the event with this id, once. */
function once(id: number, change: (frame: string) => Outgoing): NonNullable<Fault['event']> {
  let isDone = false;
  return (sent) => {
    if (isDone || sent.id !== id) return undefined;
    isDone = true;
    return change(sent.frame);
  };
}

/** A new set of faults; some of them remember what they have done. */
export function faults(): readonly Fault[] {
  return [...frameFaults(), ...connectionFaults(), ...startFaults()];
}

function frameFaults(): readonly Fault[] {
  const before =
    (junk: string | Buffer): NonNullable<Fault['event']> =>
    ({ frame, id }) =>
      some.has(id) ? [junk, frame] : undefined;
  return [
    { name: 'every event twice', tokens: 1, event: ({ frame }) => [frame, frame] },
    {
      name: 'duplicate messageIds with other events',
      tokens: 1,
      event: ({ frame }) => [frame.replace(/"messageId":"m-\d+"/, '"messageId":"m"')],
    },
    { name: 'text that is not JSON', tokens: 1, event: before('{"type": "ServerNotif') },
    { name: 'JSON that is not an array', tokens: 1, event: before('{"type":"Heartbeat"}') },
    { name: 'an empty array', tokens: 1, event: before('[]') },
    { name: 'metadata without a type', tokens: 1, event: before('[{"messageId":"1"},{}]') },
    { name: 'deep nesting', tokens: 1, event: before('['.repeat(5000) + ']'.repeat(5000)) },
    { name: 'binary frames', tokens: 1, event: before(Buffer.from([0, 1, 2, 255])) },
    {
      name: 'unknown types',
      tokens: 1,
      event: before('[{"type":"Surprise\\u001b[31m","messageId":"1"},{}]'),
      says: ['ignored frames of the unknown type'],
    },
    { name: 'a type that is a member of every object', tokens: 1, event: before('[{"type":"constructor"}]') },
    {
      name: 'an event in place of which text arrives that is not JSON',
      tokens: 1,
      event: once(one, (frame) => [frame.slice(0, -20)]),
      says: ['unreadable events'],
    },
    {
      name: 'an event in place of which a binary frame arrives',
      tokens: 1,
      event: once(one, (frame) => [Buffer.from(frame)]),
      says: ['unreadable events'],
    },
    {
      name: 'a notification without an envelope',
      tokens: 1,
      event: once(one, () => ['[{"type":"ServerNotification","messageId":"1","status":200},null]']),
      says: ['unreadable events'],
    },
    {
      name: 'a frame above the maximum size, also when it is repeated',
      tokens: 3,
      event: ({ id, frame }) =>
        id === one ? [frame.replace('"uuid"', `"x":"${'x'.repeat(1_100_000)}","uuid"`)] : undefined,
      says: ['invalid frame'],
    },
    {
      name: 'a flood of unreadable frames',
      tokens: 3,
      event: once(one, () => Array.from({ length: 500 }, () => '?')),
      says: ['too many unreadable frames'],
    },
    {
      name: 'events without a position',
      tokens: 2,
      event: ({ frame, id, connection }) =>
        connection === 1 && id === one ? 'cut' : [frame.replace(/,"wsc":\{[^}]*\}/, '')],
    },
  ];
}

function connectionFaults(): readonly Fault[] {
  const cutAt = new Set(some);
  const cutOnce = ({ id }: { readonly id: number }): Outgoing | undefined =>
    cutAt.delete(id) ? 'cut' : undefined;
  return [
    { name: 'connections that are cut', tokens: 6, event: cutOnce },
    {
      name: 'a recovery that fails',
      tokens: 2,
      event: once(one, () => 'cut'),
      recovery: () => 'Failed',
      says: ['recovered'],
    },
    {
      name: 'the daily end (WSG-903)',
      tokens: 2,
      event: once(one, () => ({ close: 1001, reason: 'WSG-903 absolute timeout' })),
    },
    {
      name: 'the end of an idle connection (WSG-902) in an error frame',
      tokens: 2,
      event: once(one, () => ({ close: 1000, reason: '', first: error(408, 'WSG-902', 'idle') })),
    },
    {
      name: 'close code 1011',
      tokens: 2,
      event: once(one, () => ({ close: 1011, reason: 'sorry' })),
      says: ['(1011)'],
    },
    {
      name: 'close code 4000',
      tokens: 2,
      event: once(one, () => ({ close: 4000, reason: '' })),
      says: ['(4000)'],
    },
    {
      name: 'an error of the service between events',
      tokens: 1,
      event: ({ frame, id }) => (id === one ? [error(500, 'WSG-500', 'something failed'), frame] : undefined),
      says: ['WSG-500'],
    },
    {
      name: 'a connection that is half open: nothing arrives any more',
      tokens: 2,
      event: ({ frame, connection, id }) => (connection === 1 && id >= one ? [] : [frame]),
      isSilent: (connection) => connection === 1,
      opened: ({ socket, connection }) => {
        if (connection === 1) Object.assign(socket, { pong: () => undefined });
      },
    },
    {
      name: 'a recovered connection that is lost before the missed events arrive',
      tokens: 3,
      event: ({ id, connection }) =>
        (connection === 1 && id === one) || connection === 2 ? 'cut' : undefined,
    },
    {
      name: 'connections that end as soon as they are recovered',
      tokens: 7,
      event: once(one, () => 'cut'),
      opened: ({ socket, connection }) => {
        if (connection > 1 && connection < 5) socket.terminate();
      },
    },
  ];
}

function startFaults(): readonly Fault[] {
  const later =
    (statuses: readonly (number | 'hang' | 'destroy')[]): NonNullable<Fault['upgrade']> =>
    (attempt) =>
      attempt > 1 ? statuses[attempt - 2] : undefined;
  const cut = (): NonNullable<Fault['event']> => once(one, () => 'cut');
  return [
    ...[401, 403, 404, 429, 503].map((status): Fault => ({
      name: `upgrades that are rejected with ${status} after a cut`,
      tokens: 4,
      event: cut(),
      upgrade: later([status, status]),
      says: [`HTTP ${status}`],
    })),
    {
      name: 'an upgrade that is rejected with 401 at the start',
      tokens: 2,
      upgrade: (attempt) => (attempt === 1 ? 401 : undefined),
    },
    {
      name: 'an upgrade that is rejected with 429 and a long wait at the start',
      tokens: 2,
      upgrade: (attempt) => (attempt === 1 ? 429 : undefined),
      retryAfter: 900,
      says: ['HTTP 429; connecting again after 900 s'],
    },
    {
      name: 'upgrades that are rejected with 429 and a wrong wait after a cut',
      tokens: 3,
      event: cut(),
      upgrade: later([429]),
      retryAfter: 86_400,
      says: ['HTTP 429; connecting again after 3600 s'],
    },
    { name: 'upgrades that hang', tokens: 3, event: cut(), upgrade: later(['hang']), says: ['TIMEOUT'] },
    {
      name: 'upgrades whose connection is closed',
      tokens: 4,
      event: cut(),
      upgrade: later(['destroy', 'destroy']),
    },
    {
      name: 'connection details that never arrive',
      tokens: 2,
      greeting: (connection) => (connection === 1 ? 'none' : 'normal'),
    },
    {
      name: 'an error instead of connection details',
      tokens: 3,
      event: cut(),
      greeting: (connection) =>
        connection === 2 ? [error(401, 'WSG-901', 'the position is unknown')] : 'normal',
      opened: ({ socket, connection }) => {
        if (connection === 2) socket.close(1008);
      },
    },
    {
      name: 'a heartbeat before the connection details',
      tokens: 1,
      greeting: () => ['[{"type":"Heartbeat","messageId":"1"}]'],
    },
    {
      name: 'a subscription that is answered twice, and by an unknown messageId',
      tokens: 1,
      opened: ({ socket }) => {
        socket.send('[{"type":"ClientRequest","messageId":"unknown","status":200},{"id":"other"}]');
      },
    },
    {
      name: 'a subscription that is rejected with 503 at first',
      tokens: 2,
      response: ({ messageId, connection }) =>
        connection === 1
          ? [
              JSON.stringify([
                { type: 'ClientRequest', messageId, status: 503 },
                { errorCode: 'CMN-211', message: 'busy' },
              ]),
            ]
          : undefined,
    },
    {
      name: 'token requests that are rejected with 503 after a cut',
      tokens: 9,
      event: cut(),
      token: (attempt) =>
        attempt > 1 && attempt < 8
          ? { status: 503, body: { errorCode: 'CMN-211', message: 'busy' } }
          : undefined,
    },
  ];
}
