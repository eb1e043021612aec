import { request, type Agent } from 'node:http';

export interface Answer {
  /** The HTTP status; 0 when there was no reply. */
  readonly status: number;
  readonly milliseconds: number;
}

/**
 * Sends one notification to a listener, on a new connection unless an agent has open connections. Does not use `fetch`: on
 * Node 20, a fetch never settles when its connection closes while its parser is being compiled.
 */
export function postEvent(address: string, uuid: string, agent?: Agent): Promise<Answer> {
  const event = '/restapi/v1.0/account/1/extension/2/message-store';
  const body = JSON.stringify({ uuid, event, timestamp: 't', body: { text: 'x'.repeat(1300) } });
  const start = performance.now();
  return new Promise((resolve) => {
    const end = (status: number): void => resolve({ status, milliseconds: performance.now() - start });
    const options = {
      method: 'POST',
      headers: { 'content-length': Buffer.byteLength(body) },
      ...(agent && { agent }),
    };
    request(address, options, (reply) => {
      reply.resume();
      reply.once('close', () => end(reply.statusCode ?? 0));
    })
      .once('error', () => end(0))
      .end(body);
  });
}
