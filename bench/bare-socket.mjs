// A client that a user could write with `ws` in a few lines, as the peer of `ucctl webhook listen`: it subscribes, parses every
// frame and stores nothing. argv[2]: address of the service; argv[3]: `lines` prints every notification, as ucctl does, `count` the
// number of notifications so far.
import { WebSocket } from 'ws';

const [, , origin, output] = process.argv;
const reply = await fetch(`${origin}/restapi/oauth/wstoken`, { method: 'POST' });
const { uri, ws_access_token: token } = await reply.json();
const socket = new WebSocket(`${uri}?access_token=${token}`, { perMessageDeflate: false });
/** Notifications between two numbers on stdout. */
const step = 100;
let count = 0;
socket.on('message', (data) => {
  const [meta, body] = JSON.parse(Buffer.concat([data].flat()).toString());
  if (meta.type === 'ConnectionDetails') {
    const request = {
      type: 'ClientRequest',
      messageId: '1',
      method: 'POST',
      path: '/restapi/v1.0/subscription/',
    };
    socket.send(
      JSON.stringify([request, { eventFilters: [], deliveryMode: { transportType: 'WebSocket' } }]),
    );
  }
  if (meta.type !== 'ServerNotification') return;
  count += 1;
  if (output === 'lines') process.stdout.write(`${JSON.stringify(body)}\n`);
  else if (count % step === 0) process.stdout.write(`${count}\n`);
});
