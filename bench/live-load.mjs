// Posts notifications at a fixed rate on one connection, as the service does. argv[2]: JSON { url, count, rate, prefix }. `sentAt` in the
// body is the time at which a notification is sent, in milliseconds of the clock that all processes of the machine share.
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const { url, count, rate, prefix } = JSON.parse(process.argv[2]);
const agent = new Agent({ keepAlive: true });
const now = () => Number(process.hrtime.bigint()) / 1e6;
const filler = 'x'.repeat(1200);

function bodyOf(index) {
  return JSON.stringify({
    uuid: `${prefix}-${index}`,
    event: '/restapi/v1.0/account/1/extension/2/message-store',
    timestamp: '2026-11-22T08:00:00.000Z',
    subscriptionId: 'subscription',
    ownerId: '2',
    body: { extensionId: '2', sentAt: now().toFixed(3), text: filler },
  });
}

function post(body) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'POST', agent, headers }, (reply) => {
      reply.resume().on('end', resolve);
      if (reply.statusCode !== 200) reject(new Error(`status ${reply.statusCode}`));
    });
    // The receiver may close an idle connection at the moment at which it is used again.
    sent.on('error', (error) => (sent.reusedSocket ? resolve(post(body)) : reject(error)));
    sent.end(body);
  });
}

const replies = [];
const start = now();
for (let index = 0; index < count; index += 1) {
  const early = start + (index * 1000) / rate - now();
  if (early > 0) await delay(early);
  replies.push(post(bodyOf(index)));
}
await Promise.all(replies);
agent.destroy();
