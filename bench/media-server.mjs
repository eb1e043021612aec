import { createServer } from 'node:http';

// Serves `/content/BYTES` with ranges, `?rate=N` limiting each connection to N MB/s, `?delay=N` answering after N ms,
// and a call log of UCCTL_BENCH_RECORDS records.
const piece = Buffer.alloc(256 * 1024, 'sound and paper ');
piece.write('RIFF', 0);
piece.write('WAVE', 8);
const records = Number(process.env.UCCTL_BENCH_RECORDS ?? 0);

const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const delay = Number(url.searchParams.get('delay') ?? 0);
  if (delay > 0) setTimeout(() => answer(url, request, response), delay);
  else answer(url, request, response);
});

function answer(url, request, response) {
  if (url.pathname.endsWith('/call-log')) return sendPage(url, response);
  if (url.pathname.endsWith('/extension')) return sendNobody(url, response);
  const size = Number(url.pathname.split('/').at(-1));
  const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const [first, last] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  response.writeHead(request.headers.range ? 206 : 200, {
    'content-type': 'audio/x-wav',
    'accept-ranges': 'bytes',
    etag: `"${size}"`,
    'content-length': last - first + 1,
    ...(request.headers.range && { 'content-range': `bytes ${first}-${last}/${size}` }),
  });
  sendBytes(response, first, last, Number(url.searchParams.get('rate') ?? 0));
}

function sendBytes(response, first, last, rate) {
  let at = first;
  const started = performance.now();
  const more = () => {
    while (at <= last) {
      if (response.destroyed) return;
      const begin = at % piece.length;
      const part = piece.subarray(begin, Math.min(piece.length, begin + last + 1 - at));
      at += part.length;
      const isFull = !response.write(part);
      const due = rate > 0 ? (at - first) / (rate * 1000) - (performance.now() - started) : 0;
      if (due > 1) setTimeout(more, due);
      else if (isFull) response.once('drain', more);
      else continue;
      return;
    }
    response.end();
  };
  more();
}

/** A directory without people: names in calls are used unchanged. */
function sendNobody(url, response) {
  const paging = { page: 1, perPage: 1000, totalPages: 1, totalElements: 0 };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ uri: url.href, records: [], paging }));
}

function sendPage(url, response) {
  const page = Number(url.searchParams.get('page') ?? 1);
  const perPage = Number(url.searchParams.get('perPage') ?? 100);
  const first = (page - 1) * perPage;
  const list = Array.from({ length: Math.max(0, Math.min(perPage, records - first)) }, (_, index) => {
    const id = String(first + index + 1);
    return {
      uri: `http://localhost/call-log/${id}`,
      id,
      sessionId: id,
      startTime: new Date(1_760_000_000_000 - (first + index) * 1000).toISOString(),
      duration: index % 300,
      type: 'Voice',
      direction: index % 3 === 0 ? 'Outbound' : 'Inbound',
      action: 'Phone Call',
      result: 'Accepted',
      from: { phoneNumber: '+14155550100', location: 'San Francisco, CA' },
      to: { extensionNumber: '101', name: 'Dana Okafor' },
    };
  });
  const paging = { page, perPage };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ uri: url.href, records: list, paging }));
}

server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
