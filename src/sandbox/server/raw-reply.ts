import type { Duplex } from 'node:stream';

/** Writes a reply without a parsed request and closes the connection. */
export function rejectRaw(socket: Duplex, status: number, reply: object): void {
  const body = JSON.stringify(reply);
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'Content-Type: application/json;charset=UTF-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
