import { closeSync, fchmodSync, openSync, writeSync } from 'node:fs';
import type { Exchange, ExchangeSink } from './traced-http.ts';

const tail = '\n]}}\n';

/**
 * Writes exchanges to a HAR 1.2 file of mode 0600. The file is valid after each exchange.
 * @throws if the file cannot be written.
 */
export function harFile(file: string, version: string): ExchangeSink {
  const handle = openSync(file, 'w', 0o600);
  // The mode argument of `openSync` applies only to a new file.
  fchmodSync(handle, 0o600);
  const head = `{"log":{"version":"1.2","creator":{"name":"ucctl","version":${JSON.stringify(version)}},"entries":[`;
  let position = writeSync(handle, head, 0);
  let isFirst = true;
  writeSync(handle, tail, position);
  closeSync(handle);
  return (exchange) => {
    const own = openSync(file, 'r+');
    try {
      position += writeSync(own, `${isFirst ? '' : ','}\n${JSON.stringify(toEntry(exchange))}`, position);
      writeSync(own, tail, position);
      isFirst = false;
    } finally {
      closeSync(own);
    }
  };
}

function toEntry(exchange: Exchange): object {
  const { startedAt, milliseconds, method, url, requestBody, responseBody, status, failure } = exchange;
  const type = exchange.requestHeaders['content-type'];
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: milliseconds,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(exchange.requestHeaders),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: -1,
      ...(requestBody !== undefined && { postData: { mimeType: type ?? '', text: requestBody } }),
    },
    response: {
      status: status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(exchange.responseHeaders),
      content: {
        size: responseBody?.length ?? 0,
        mimeType: exchange.responseHeaders['content-type'] ?? '',
        ...(responseBody !== undefined && { text: responseBody }),
      },
      redirectURL: exchange.responseHeaders['location'] ?? '',
      headersSize: -1,
      bodySize: -1,
      ...(failure !== undefined && { _error: failure }),
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
  };
}

function pairs(values: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
