import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { decompressed } from '../../src/client/gunzip.ts';
import { createUndiciHttp } from '../../src/client/undici-http.ts';
import { eventually } from '../support/eventually.ts';

test('a reader of a compressed body that stops early closes the connection', async () => {
  let open = 0;
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    // Never ends.
    response.write(gzipSync(randomBytes(300_000)).subarray(0, -100));
  });
  server.on('connection', (socket) => {
    open += 1;
    socket.on('close', () => (open -= 1));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const http = createUndiciHttp();
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await http.close();
  });
  const url = new URL(`http://127.0.0.1:${port}/file`);
  const request = { method: 'GET', url, headers: {}, timeoutMilliseconds: 0 } as const;
  const reply = decompressed(await http.send(request), { method: 'GET', path: '/file' });
  for await (const piece of reply.bytes()) {
    expect(piece.length).toBeGreaterThan(0);
    break;
  }
  await eventually(() => expect(open).toBe(0));
});
