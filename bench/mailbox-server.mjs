// A service with one mailbox of any size: answers every message-sync with N generated messages in one unpaged reply,
// as fast as the client reads them. Usage: node mailbox-server.mjs N; prints its port.
import { createServer } from 'node:http';
import { argv, stdout } from 'node:process';
import { record } from './made-messages.mjs';

const count = Number(argv[2]);
const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});

async function answer(request, response) {
  const url = new URL(request.url ?? '/', 'http://x');
  const full = url.searchParams.get('syncType') === 'FSync' && url.searchParams.get('recordCount') !== '1';
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"uri":"http://x/restapi/v1.0/account/1/extension/7/message-sync","records":[');
  const wanted = full ? count : 0;
  for (let from = 0; from < wanted; from += 100) {
    let text = '';
    for (let index = from; index < Math.min(from + 100, wanted); index += 1) {
      text += (index === 0 ? '' : ',') + record(index);
    }
    if (!response.write(text)) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end('],"syncInfo":{"syncType":"FSync","syncToken":"t","syncTime":"2026-01-05T09:00:00.000Z"}}');
}
server.listen(0, '127.0.0.1', () => stdout.write(`${server.address().port}\n`));
