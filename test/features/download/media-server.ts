import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { Media } from '../../../src/client/resources/media.ts';
import { Transport } from '../../../src/client/transport.ts';
import { createUndiciHttp } from '../../../src/client/undici-http.ts';
import { fetchFile } from '../../../src/features/download/fetch-file.ts';
import type { Fetched, FetchOptions } from '../../../src/features/download/fetch-options.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse, count: number) => void;

export interface MediaServer {
  readonly uri: string;
  /** The Range and If-Range of each request, in order. */
  readonly asked: { readonly range: string | undefined; readonly ifRange: string | undefined }[];
  /** Downloads from it into `folder`. */
  fetch(folder: string, options?: Partial<FetchOptions>): Promise<Fetched>;
}

/** A real server on the loopback address that answers as the test says, asked by the real client. */
export async function mediaServer(answer: Answer): Promise<MediaServer> {
  const asked: { range: string | undefined; ifRange: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const { range, 'if-range': ifRange } = request.headers;
    asked.push({ range, ifRange: ifRange as string | undefined });
    answer(request, response, asked.length);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const http = createUndiciHttp();
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await http.close().catch(() => undefined);
  });
  const base = `http://127.0.0.1:${port}`;
  const media = new Media(
    new Transport({
      baseUrl: new URL(base),
      http: http.send,
      tokens: { current: () => Promise.resolve('t'), renew: () => Promise.resolve('t') },
      userAgent: 'test',
      timeoutMilliseconds: 5000,
      timing: { now: () => Date.now(), sleep: () => Promise.resolve(), random: () => 0 },
    }),
  );
  const uri = `${base}/content/1`;
  return {
    uri,
    asked,
    fetch: (folder, options) =>
      fetchFile({
        open: (range, ifRange, signal) =>
          media.open(uri, {
            signal,
            ...(range && { range }),
            ...(range && ifRange !== undefined && { ifRange }),
          }),
        uri,
        folder,
        name: 'sound.wav',
        existing: 'fail',
        wantsChecksum: false,
        connections: 4,
        retries: 4,
        signal: new AbortController().signal,
        sleep: () => Promise.resolve(),
        elapsed: () => 0,
        ...options,
      }),
  };
}

/** Content as sound, the same for the same seed. */
export function sound(bytes: number, seed = 1): Buffer {
  const content = Buffer.alloc(bytes);
  let state = seed;
  for (let at = 0; at < bytes; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    content[at] = state >>> 24;
  }
  content.write('RIFF', 0, 'latin1');
  content.write('WAVE', 8, 'latin1');
  return content;
}

export interface Served {
  readonly content: Buffer;
  readonly etag?: string | undefined;
  /** The body ends here, counted from its own start, by cutting the connection. */
  readonly cutAfter?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers as a good server does: whole, or in the range asked for while the content is the same. */
export function serve(request: IncomingMessage, response: ServerResponse, served: Served): void {
  const { content, etag, cutAfter, headers = {} } = served;
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const ifRange = request.headers['if-range'];
  const common = { 'content-type': 'audio/x-wav', ...(etag !== undefined && { etag }), ...headers };
  if (from !== undefined && Number(from) >= content.length) {
    response.writeHead(416, { ...common, 'content-range': `bytes */${content.length}` }).end();
    return;
  }
  const isPart = from !== undefined && (ifRange === undefined || ifRange === etag);
  const first = isPart ? Number(from) : 0;
  const last = isPart && to ? Math.min(Number(to), content.length - 1) : content.length - 1;
  const body = content.subarray(first, last + 1);
  response.writeHead(isPart ? 206 : 200, {
    ...common,
    'accept-ranges': 'bytes',
    'content-length': body.length,
    ...(isPart && { 'content-range': `bytes ${first}-${last}/${content.length}` }),
  });
  if (cutAfter === undefined || cutAfter >= body.length) {
    response.end(body);
    return;
  }
  response.write(body.subarray(0, cutAfter), () => setImmediate(() => response.destroy()));
  if (cutAfter === 0) {
    response.flushHeaders();
    setImmediate(() => response.destroy());
  }
}
