// A service with live events through WebSockets, in a separate process that receives commands as messages from its
// parent: it issues tokens,
// accepts every WebSocket and every subscription, and sends notifications. A message { count, rate, prefix } starts a run; without a
// rate, notifications are sent as fast as the socket accepts them.
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocketServer } from 'ws';

const path = '/restapi/v1.0/subscription';
/** Size of an envelope in bytes, as large as the notifications of the service. */
const envelopeBytes = 1489;
/** Unsent bytes of a socket above which the sender waits. */
const maxUnsent = 4 * 1024 * 1024;
const fractionDigits = 3;

const server = createServer((request, response) => {
  request.resume();
  const { port } = server.address();
  const uri = `ws://127.0.0.1:${port}${path}`;
  const token = { uri, ws_access_token: 'token-of-the-benchmark', expires_in: 30 };
  const sync = {
    records: [],
    syncInfo: { syncType: 'FSync', syncToken: 't', syncTime: new Date().toISOString() },
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(request.url.includes('/message-sync') ? sync : token));
});
let newest;
let sequence = 0;

new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
  sequence = 0;
  const details = {
    recoveryBufferSize: 100,
    recoveryTimeout: 180,
    idleTimeout: 1800,
    absoluteTimeout: 86_400,
  };
  const meta = {
    type: 'ConnectionDetails',
    messageId: 'details',
    status: 200,
    wsc: { token: 's.0', sequence: 0 },
  };
  socket.send(JSON.stringify([meta, details]));
  socket.on('message', (data) => {
    const [{ type, messageId }, body] = JSON.parse(Buffer.concat([data].flat()).toString());
    if (type !== 'ClientRequest') return;
    newest = socket;
    const subscription = {
      id: 'subscription',
      uri: `http://127.0.0.1${path}/subscription`,
      eventFilters: body.eventFilters,
      deliveryMode: { transportType: 'WebSocket', encryption: false },
      status: 'Active',
      creationTime: new Date().toISOString(),
      expirationTime: new Date(Date.now() + 86_400_000).toISOString(),
      expiresIn: 86_400,
    };
    socket.send(JSON.stringify([{ type: 'ClientRequest', messageId, status: 200 }, subscription]));
    process.send({ kind: 'subscribed' });
  });
});

async function sendAll({ count, rate, prefix }) {
  const socket = newest;
  const writeNext = notifications(prefix);
  process.send({ kind: 'started', at: milliseconds() });
  const start = milliseconds();
  for (let sent = 0; sent < count;) {
    const due =
      rate === undefined ? count : Math.min(count, Math.floor(((milliseconds() - start) / 1000) * rate) + 1);
    for (; sent < due && socket.bufferedAmount < maxUnsent; sent += 1) socket.send(writeNext(sent));
    await (rate === undefined ? new Promise((resolve) => setImmediate(resolve)) : delay(1));
  }
}

process.on('message', (run) => void sendAll(run));
process.on('disconnect', () => process.exit());

/** A monotonic time that is the same in all processes of the machine. */
function milliseconds() {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Writes notifications of the same size; `sentAt` has the time at which it is sent. */
function notifications(prefix) {
  const [uuid, sentAt] = [`"${prefix}-00000000"`, '0000000.000'];
  const envelope = (text) =>
    JSON.stringify({
      uuid: JSON.parse(uuid),
      event: '/restapi/v1.0/account/1/extension/2/message-store',
      timestamp: '2026-11-22T08:00:00.000Z',
      subscriptionId: 'subscription',
      ownerId: '2',
      body: { extensionId: '2', sentAt, text },
    });
  const filler = 'x'.repeat(envelopeBytes - envelope('').length);
  const [before, rest] = envelope(filler).split(uuid);
  const [middle, end] = rest.split(sentAt);
  return (index) => {
    sequence += 1;
    const wsc = `{"token":"s.${sequence}","sequence":${sequence}}`;
    const meta = `{"type":"ServerNotification","messageId":"m-${sequence}","status":200,"headers":{},"wsc":${wsc}}`;
    const name = `"${prefix}-${String(index).padStart(8, '0')}"`;
    return `[${meta},${before}${name}${middle}${milliseconds().toFixed(fractionDigits)}${end}]`;
  };
}

server.listen(0, '127.0.0.1', () => process.send({ kind: 'port', port: server.address().port }));
