import { gzipSync } from 'node:zlib';
import type { WireReply } from '../service/wire.ts';
import { answers, bytesOf, ends, sendThen, whole, type Broken, type End, type WireFault } from './fault.ts';
import { statusFaults } from './status-faults.ts';

const head = (status: string, ...headers: readonly string[]): string =>
  [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n');
const json = 'Content-Type: application/json';
const chunked = 'Transfer-Encoding: chunked';
const text = ({ body }: WireReply): string => body.toString('latin1');

/** No byte of a reply, before or after the service has done its work. */
const without: readonly WireFault[] = [false, true].flatMap((isForwarded) =>
  (['close', 'reset', 'hang'] as const).map((end): WireFault => {
    const when = isForwarded ? 'after' : 'before';
    const isSlow = end === 'hang';
    return { name: `${end} ${when} the service has the request`, isForwarded, isSlow, act: ends[end] };
  }),
);

/** Incomplete replies: the share of the head or of the body that arrives. */
const cuts: readonly (readonly [string, (reply: WireReply) => Buffer])[] = [
  ['one byte', (reply) => bytesOf(reply).subarray(0, 1)],
  ['HTTP/1.', (reply) => bytesOf(reply).subarray(0, 7)],
  ['half a status', (reply) => bytesOf(reply).subarray(0, 11)],
  ['a status line', (reply) => bytesOf(reply).subarray(0, 17)],
  ['half a head', (reply) => whole(reply).head.subarray(0, whole(reply).head.length / 2)],
  ['a head but for its last line', (reply) => whole(reply).head.subarray(0, -2)],
  ['a head', (reply) => whole(reply).head],
  ['one byte of the body', (reply) => bytesOf(reply).subarray(0, whole(reply).head.length + 1)],
  ['half a body', (reply) => bytesOf(reply).subarray(0, whole(reply).head.length + reply.body.length / 2)],
  ['all but a byte', (reply) => bytesOf(reply).subarray(0, -1)],
];
const halves = cuts.flatMap(([name, bytes]) =>
  (['close', 'reset', 'hang'] as const).map((end) => answers(`${name}, then ${end}`, bytes, end)),
);

const lengths = [
  ['one too long', (n: number) => [`Content-Length: ${n + 1}`]],
  ['far too long', (n: number) => [`Content-Length: ${n + 100_000}`]],
  ['one too short', (n: number) => [`Content-Length: ${Math.max(0, n - 1)}`]],
  ['nought', () => ['Content-Length: 0']],
  ['negative', () => ['Content-Length: -5']],
  ['no number', () => ['Content-Length: many']],
  ['hexadecimal', (n: number) => [`Content-Length: 0x${n.toString(16)}`]],
  ['beyond 2^64', () => ['Content-Length: 99999999999999999999']],
  ['two that differ', (n: number) => [`Content-Length: ${n}`, `Content-Length: ${n + 3}`]],
  ['together with chunks', (n: number) => [`Content-Length: ${n}`, chunked]],
  ['absent', () => []],
] as const;
const wrongLengths = lengths.map(([name, of]) =>
  answers(
    `a length that is ${name}`,
    (reply) => head('200 OK', json, ...of(reply.body.length)) + text(reply),
  ),
);

const chunk = (reply: WireReply): string => `${reply.body.length.toString(16)}\r\n${text(reply)}\r\n`;
const chunks: readonly (readonly [string, (reply: WireReply) => string, End])[] = [
  ['without the last one', chunk, 'close'],
  ['without the last one, reset', chunk, 'reset'],
  ['without the last one, silence', chunk, 'hang'],
  ['with a size that is not a number', (reply) => `zz\r\n${text(reply)}\r\n0\r\n\r\n`, 'close'],
  ['with a negative size', (reply) => `-1\r\n${text(reply)}\r\n0\r\n\r\n`, 'close'],
  ['with a size beyond 2^64', (reply) => `fffffffffffffffff\r\n${text(reply)}\r\n0\r\n\r\n`, 'close'],
  ['with a size that is too large', (reply) => `ffff\r\n${text(reply)}\r\n0\r\n\r\n`, 'close'],
  ['with a size that is too small', (reply) => `1\r\n${text(reply)}\r\n0\r\n\r\n`, 'close'],
  ['without line ends', (reply) => `${reply.body.length.toString(16)}${text(reply)}0`, 'close'],
  ['with a last one only', () => '0\r\n\r\n', 'close'],
  ['with a last one that is cut', (reply) => `${chunk(reply)}0\r\n`, 'close'],
  ['with ten thousand trailers', (reply) => `${chunk(reply)}0\r\n${'x: y\r\n'.repeat(10_000)}\r\n`, 'close'],
];
const badChunks = chunks.map(([name, of, end]) =>
  answers(`chunks ${name}`, (reply) => head('200 OK', json, chunked) + of(reply), end),
);

/** Sends pieces one after another until the other side closes the connection. */
async function drip(broken: Broken, pieces: Iterable<Buffer | string>, milliseconds: number): Promise<void> {
  for (const piece of pieces) {
    broken.socket.write(piece);
    await broken.pause(milliseconds);
  }
  broken.socket.end();
}
function* forever<T>(piece: T): Generator<T> {
  for (;;) yield piece;
}
const slow = (name: string, act: WireFault['act']): WireFault => ({
  name,
  isForwarded: true,
  isSlow: true,
  act,
});
const interim = (status: number): string => head(`${status} Interim`);

const drips: readonly WireFault[] = [
  slow('a head byte by byte', (broken) =>
    drip(
      broken,
      [...whole(broken.reply).head].map((b) => Buffer.of(b)),
      150,
    ),
  ),
  slow('a body byte by byte', async (broken) => {
    broken.socket.write(whole(broken.reply).head);
    await drip(
      broken,
      [...broken.reply.body].map((b) => Buffer.of(b)),
      150,
    );
  }),
  slow('headers without end', async (broken) => {
    broken.socket.write('HTTP/1.1 200 OK\r\n');
    await drip(broken, forever('X-More: 1\r\n'), 150);
  }),
  slow('spaces without end', async (broken) => {
    broken.socket.write(head('200 OK', json, chunked));
    await drip(broken, forever('1\r\n \r\n'), 150);
  }),
  slow('100 without end', (broken) => drip(broken, forever(interim(100)), 150)),
  slow('102 without end', (broken) => drip(broken, forever(interim(102)), 150)),
  slow('103 without end', (broken) => drip(broken, forever(interim(103)), 150)),
  slow('a reply that is late', async (broken) => {
    await broken.pause(2500);
    await sendThen(broken, bytesOf(broken.reply), 'close');
  }),
];
const interims = [100, 102, 103, 199].flatMap((status) => [
  answers(`${status}, then the reply`, (reply) => interim(status) + bytesOf(reply).toString('latin1')),
  answers(`${status}, then nothing`, () => interim(status)),
]);
const floods = [
  answers(
    'a thousand 100, then the reply',
    (reply) => interim(100).repeat(1000) + bytesOf(reply).toString('latin1'),
  ),
  answers('101, and another protocol', () => head('101 Switching', 'Upgrade: other', 'Connection: Upgrade')),
];

const nonsense: readonly (readonly [string, (reply: WireReply) => Buffer | string])[] = [
  [
    'bytes that mean nothing',
    () => Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 73 + 11) % 256)),
  ],
  ['a TLS alert', () => Buffer.from([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x28])],
  ['HTTP/2', () => Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])],
  ['another version', (reply) => bytesOf(reply).toString('latin1').replace('HTTP/1.1', 'HTTP/9.9')],
  ['ICY', (reply) => bytesOf(reply).toString('latin1').replace('HTTP/1.1', 'ICY')],
  ['a body without a head', text],
  ['an SSH banner', () => 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['an SMTP banner', () => '220 mail.example ESMTP\r\n'],
  ['a status of letters', () => head('abc Odd', json, 'Content-Length: 2') + '{}'],
  ['a status of two digits', () => head('20 Odd', json, 'Content-Length: 2') + '{}'],
  ['a status of four digits', () => head('2000 Odd', json, 'Content-Length: 2') + '{}'],
  ['status 000', () => head('000 Odd', json, 'Content-Length: 2') + '{}'],
  ['status 999', () => head('999 Odd', json, 'Content-Length: 2') + '{}'],
  [
    'a header without a colon',
    (reply) => head('200 OK', json, 'no colon here', lengthOf(reply)) + text(reply),
  ],
  ['a NUL in a header', (reply) => head('200 OK', json, 'X-A: a\0b', lengthOf(reply)) + text(reply)],
  [
    'a header of a megabyte',
    (reply) => head('200 OK', json, `X-A: ${'a'.repeat(1e6)}`, lengthOf(reply)) + text(reply),
  ],
  [
    'ten thousand headers',
    (reply) => head('200 OK', ...Array<string>(10_000).fill('X-A: b'), lengthOf(reply)) + text(reply),
  ],
  ['line feeds only', (reply) => bytesOf(reply).toString('latin1').replaceAll('\r\n', '\n')],
  [
    'a space before a colon',
    (reply) => head('200 OK', 'Content-Type : application/json', lengthOf(reply)) + text(reply),
  ],
  [
    'an unknown transfer coding',
    (reply) => head('200 OK', json, 'Transfer-Encoding: odd', lengthOf(reply)) + text(reply),
  ],
];
function lengthOf({ body }: WireReply): string {
  return `Content-Length: ${body.length}`;
}
const garbage = nonsense.map(([name, bytes]) => answers(name, bytes));

const packed = (bytes: Buffer, coding = 'gzip'): Buffer =>
  Buffer.concat([
    Buffer.from(head('200 OK', json, `Content-Encoding: ${coding}`, `Content-Length: ${bytes.length}`)),
    bytes,
  ]);
function damaged(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  const index = at < 0 ? copy.length + at : at;
  copy[index] = (copy[index] ?? 0) ^ 0xff;
  return copy;
}
const gzip: readonly WireFault[] = [
  answers('gzip that is cut', ({ body }) => packed(gzipSync(body).subarray(0, -12))),
  answers('gzip with a wrong checksum', ({ body }) => packed(damaged(gzipSync(body), -6))),
  answers('gzip with a wrong length', ({ body }) => packed(damaged(gzipSync(body), -1))),
  answers('gzip with a damaged head', ({ body }) => packed(damaged(gzipSync(body), 0))),
  answers('gzip with a damaged middle', ({ body }) => packed(damaged(gzipSync(body), 14))),
  answers('invalid gzip', ({ body }) => packed(body)),
  answers('gzip within gzip', ({ body }) => packed(gzipSync(gzipSync(body)))),
  answers('an empty gzip', () => packed(Buffer.alloc(0))),
  answers('deflate that is gzip', ({ body }) => packed(gzipSync(body), 'deflate')),
  answers('an unknown coding', ({ body }) => packed(body, 'odd')),
  {
    ...answers('gzip that becomes 70 MB', () => packed(gzipSync(Buffer.alloc(7e7, 0x20)))),
    isSlow: true,
  },
];

const forgedBody = '{"id":1,"status":{"callStatus":"Success"}}';
const forged = head('200 OK', json, `Content-Length: ${forgedBody.length}`) + forgedBody;
const sequences: readonly WireFault[] = [
  answers('the reply twice', (reply) => Buffer.concat([bytesOf(reply), bytesOf(reply)])),
  answers(
    'the reply, then an error',
    (reply) => bytesOf(reply).toString('latin1') + head('500 Odd', 'Content-Length: 0'),
  ),
  answers(
    'an error, then the reply',
    (reply) => head('500 Odd', 'Content-Length: 0') + bytesOf(reply).toString('latin1'),
  ),
  answers('the reply, then a forged one', (reply) => bytesOf(reply).toString('latin1') + forged, 'reset'),
  answers('the reply, then bytes that mean nothing', (reply) =>
    Buffer.concat([bytesOf(reply), Buffer.alloc(999, 7)]),
  ),
  answers('the reply, then reset', bytesOf, 'reset'),
  answers('the reply in UTF-16', ({ body }) => {
    const wide = Buffer.from(body.toString('utf8'), 'utf16le');
    return Buffer.concat([Buffer.from(head('200 OK', json, `Content-Length: ${wide.length}`)), wide]);
  }),
  answers('the reply with a byte order mark', ({ body }) => {
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]);
    return Buffer.concat([Buffer.from(head('200 OK', json, `Content-Length: ${marked.length}`)), marked]);
  }),
];

/** Reused connections: bytes that arrived before the request was sent must not answer it. */
const ahead = (name: string, bytes: string, isForwarded: boolean): WireFault => ({
  name,
  isForwarded,
  ahead: bytes,
  act: (broken) => (isForwarded ? sendThen(broken, bytesOf(broken.reply), 'close') : ends.hang()),
  ...(!isForwarded && { isSlow: true }),
});
const connections: readonly WireFault[] = [
  ahead('a forged reply in advance', forged, true),
  ahead('a forged reply in advance, then nothing', forged, false),
  ahead('a forged 204 in advance, then nothing', head('204 No Content'), false),
  ahead('bytes in advance', '\r\n\r\n', true),
  { name: 'nobody listens', isForwarded: false, isConnectionRefused: true, act: () => undefined },
];

/** Every fault that can occur between a program and a service; the same for every command. */
export const wireFaults: readonly WireFault[] = [
  ...without,
  ...halves,
  ...wrongLengths,
  ...badChunks,
  ...drips,
  ...interims,
  ...floods,
  ...garbage,
  ...gzip,
  ...sequences,
  ...connections,
  ...statusFaults,
];
