import { answers, type WireFault } from './fault.ts';

const page = '<html><body>Sign in to go on</body></html>';

function plain(status: number, body: string, more: readonly string[] = []): string {
  const length = status === 204 || status === 304 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return [`HTTP/1.1 ${status} Status`, ...more, ...length, 'Connection: close', '', ''].join('\r\n') + body;
}

/** Successful statuses that prove nothing, because another host answers instead of the service. */
const successes: readonly WireFault[] = [200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 299].flatMap(
  (status) => [
    answers(`${status}, empty`, () => plain(status, ''), 'close', false),
    answers(`${status}, {}`, () => plain(status, '{}', ['Content-Type: application/json']), 'close', false),
    answers(`${status}, a page`, () => plain(status, page, ['Content-Type: text/html']), 'close', false),
  ],
);

const redirects = [300, 301, 302, 303, 304, 305, 307, 308, 399].flatMap((status) => [
  answers(`${status}`, () => plain(status, page), 'close', false),
  answers(`${status} to another place`, () => plain(status, page, ['Location: /login']), 'close', false),
]);

/** Rejections by the service or by a gateway: the request was not done. */
const rejections = [
  400, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421, 422, 423,
  424, 425, 426, 428, 429, 431, 451,
].map((status) => answers(`${status}`, () => plain(status, '{}'), 'close', false));

/** Replies of gateways for requests that reached the service, and for requests that did not. */
const gateways = [
  408, 499, 500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511, 520, 521, 522, 523, 524, 525, 527, 530,
  598, 599,
].flatMap((status) => [
  answers(`${status} after the service did it`, () => plain(status, page), 'close', true),
  answers(`${status} before the service has it`, () => plain(status, page), 'close', false),
]);

export const statusFaults: readonly WireFault[] = [...successes, ...redirects, ...rejections, ...gateways];
