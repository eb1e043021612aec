import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { connectStore } from '../../src/store/index.ts';

/** An authentication request of a server: its kind and its content. */
function authentication(kind: number, text: string): Buffer {
  const content = Buffer.from(text);
  const message = Buffer.alloc(9 + content.length);
  message.write('R');
  message.writeInt32BE(8 + content.length, 1);
  message.writeInt32BE(kind, 5);
  content.copy(message, 9);
  return message;
}

/** AuthenticationSASL (10) with one mechanism, which is the first message of a server that requires a password. */
const saslRequest = authentication(10, 'SCRAM-SHA-256\0\0');

/** AuthenticationSASLContinue (11) with the nonce of the client, completed by the server. */
function saslContinue(response: Buffer): Buffer {
  const nonce = /r=([^,]+)/.exec(response.toString('latin1'))?.[1] ?? '';
  return authentication(11, `r=${nonce}server,s=c2FsdA==,i=4096`);
}

it('closes a connection for which no password is set, so that the process can exit', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(saslRequest);
      socket.once('data', (response) => socket.write(saslContinue(response)));
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const db = connectStore({ url: `postgres://someone@127.0.0.1:${port}/store`, source: 'the test', env: {} });
  onTestFinished(() => db.close());
  await expect(db.query('select 1')).rejects.toMatchObject({ code: 'store_password' });
  const [socket] = sockets;
  if (socket && !socket.closed) await once(socket, 'close');
  expect(sockets.map(({ closed }) => closed)).toEqual([true]);
});
