// Load generator at a fixed rate in a separate process: N keep-alive connections send the next notification that is
// due, and its time is measured from when it was due, so that a server cannot hide a delay. argv[2]: JSON { url,
// body, connections, rate, seconds }. Prints JSON { p50, p99, p999, statuses, sent }, times in milliseconds.
import { connect } from 'node:net';

const { url, body, connections, rate, seconds } = JSON.parse(process.argv[2]);
const { hostname, port, pathname } = new URL(url);
const head = `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
// A body contains @COUNTER@@@@: twelve places for a number.
const [before, after] = (head + body).split('@COUNTER@@@@');
const total = Math.round(rate * seconds);
const times = [];
const statuses = {};
const idle = [];
/** Numbers of the notifications that are due while no connection is free. */
const due = [];
let begun = 0;
let next = 0;
let finish;
const finished = new Promise((resolve) => (finish = resolve));

function send(socket, number) {
  socket.number = number;
  socket.write(before + String(number).padStart(12, '0') + after);
}

function onReply(socket, chunk) {
  socket.reply += chunk;
  if (!socket.reply.includes('\r\n\r\n')) return;
  const status = socket.reply.slice(9, 12);
  socket.reply = '';
  statuses[status] = (statuses[status] ?? 0) + 1;
  times.push(performance.now() - begun - (socket.number * 1000) / rate);
  if (times.length === total) finish();
  const waiting = due.shift();
  if (waiting === undefined) idle.push(socket);
  else send(socket, waiting);
}

function open() {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.reply = '';
    socket.on('error', reject);
    socket.on('data', (chunk) => onReply(socket, chunk));
  });
}

idle.push(...(await Promise.all(Array.from({ length: connections }, open))));
begun = performance.now();
function tick() {
  const until = Math.min(total, Math.floor(((performance.now() - begun) * rate) / 1000) + 1);
  for (; next < until; next += 1) {
    // The connection that is idle for longest: the server closes a connection that never sends its first request.
    const socket = idle.shift();
    if (socket) send(socket, next);
    else due.push(next);
  }
  // A timer is too coarse for rates of thousands per second.
  if (next < total) setImmediate(tick);
}
tick();
await finished;
for (const socket of idle) socket.destroy();
times.sort((a, b) => a - b);
const at = (share) => times[Math.min(times.length - 1, Math.ceil(times.length * share) - 1)];
process.stdout.write(
  JSON.stringify({ p50: at(0.5), p99: at(0.99), p999: at(0.999), statuses, sent: times.length }),
);
