import * as http from 'node:http';
import * as https from 'node:https';

/** The reply of a webhook. */
export interface WebhookReply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** Size of the reply: status line, headers and the part of the body that was read. */
  readonly bytes: number;
}
export interface WebhookRequest {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMilliseconds: number;
  /** Maximum bytes to read. */
  readonly replyBytes: number;
  readonly agents: WebhookAgents;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
}

/** Agents with persistent connections to the webhooks. */
export interface WebhookAgents {
  readonly http: http.Agent;
  readonly https: https.Agent;
}

/** Creates agents whose connections stay open between notifications. */
export function createAgents(): WebhookAgents {
  return { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };
}

/** Posts to the address of a client and reads the reply. Rejects if the reply does not arrive in time. */
export function postToWebhook(request: WebhookRequest): Promise<WebhookReply> {
  const url = new URL(request.address);
  const secure = url.protocol === 'https:';
  const send = secure ? https.request : http.request;
  const { promise, resolve, reject } = deferred<WebhookReply>();
  const outgoing = send(url, {
    method: 'POST',
    agent: secure ? request.agents.https : request.agents.http,
    signal: request.signal,
    headers: {
      'user-agent': 'ucctl-sandbox',
      'content-type': 'application/json; charset=UTF-8',
      'content-length': Buffer.byteLength(request.body),
      ...request.headers,
    },
  });
  const timer = setTimeout(
    () => outgoing.destroy(new Error(`no reply within ${request.timeoutMilliseconds} ms`)),
    request.timeoutMilliseconds,
  );
  outgoing.on('error', reject);
  outgoing.on('close', () => clearTimeout(timer));
  outgoing.on('response', (incoming) => {
    let bytes = headBytes(incoming);
    const reply = () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes });
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= request.replyBytes) return;
      reply();
      outgoing.destroy();
    });
    incoming.on('end', reply);
    incoming.on('error', reject);
  });
  outgoing.end(request.body);
  return promise;
}

function headBytes(incoming: http.IncomingMessage): number {
  const lines = incoming.rawHeaders.reduce((sum, text) => sum + Buffer.byteLength(text) + 2, 0);
  return `HTTP/1.1 ${incoming.statusCode} ${incoming.statusMessage}\r\n\r\n`.length + lines;
}

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: Error) => void = () => undefined;
  // oxlint-disable-next-line promise/param-names -- assigned to names of the same meaning
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
