// Load generator in a separate process: N keep-alive connections, one request at a time on each, for some seconds.
// argv[2]: JSON { url, method, headers, body, connections, seconds or count }. Prints JSON { count, seconds, statuses
// }.
import { connect } from 'node:net';

const {
  url,
  method,
  headers = {},
  body = '',
  connections,
  seconds = 0,
  count: wanted,
} = JSON.parse(process.argv[2]);
const { hostname, port, pathname, search } = new URL(url);
const lines = Object.entries({
  host: `${hostname}:${port}`,
  'content-length': Buffer.byteLength(body),
  ...headers,
});
const request = `${method} ${pathname}${search} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
// A body may contain @COUNTER@@@@: twelve places for a number that increases with each request of this process.
const [before, after] = request.split('@COUNTER@@@@');
let sent = 0;
function nextRequest() {
  begun += 1;
  if (after === undefined) return request;
  sent += 1;
  return before + String(sent).padStart(12, '0') + after;
}
const statuses = {};
let count = 0;
let begun = 0;
const start = performance.now();
const end = start + seconds * 1000;
const isOver = () => (wanted === undefined ? performance.now() >= end : begun >= wanted);

function open() {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    let buffer = '';
    socket.setEncoding('latin1');
    socket.on('connect', () => socket.write(nextRequest()));
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      buffer += chunk;
      const head = buffer.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(buffer.slice(0, head))?.[1] ?? 0);
      if (buffer.length < head + 4 + length) return;
      const status = buffer.slice(9, 12);
      statuses[status] = (statuses[status] ?? 0) + 1;
      buffer = buffer.slice(head + 4 + length);
      count += 1;
      if (isOver()) {
        socket.destroy();
        resolve();
      } else socket.write(nextRequest());
    });
  });
}

await Promise.all(Array.from({ length: Math.min(connections, wanted ?? connections) }, open));
process.stdout.write(JSON.stringify({ count, seconds: (performance.now() - start) / 1000, statuses }));
