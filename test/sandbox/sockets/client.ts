import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { ServerFrame } from '../../../src/contract/web-socket.ts';
import { eventually } from '../../support/eventually.ts';
import { send, userClient } from '../request.ts';

export const messages = '/restapi/v1.0/account/~/extension/~/message-store';
export const subscriptionPath = '/restapi/v1.0/subscription';

/** A frame as a test compares it. */
export interface Frame {
  readonly type: string;
  readonly messageId: string;
  readonly status?: number;
  readonly wsc?: { readonly token: string; readonly sequence: number };
  readonly body: Readonly<Record<string, unknown>>;
}

/** A sandbox of dialect `current` on a port, closed at the end of the test. */
export async function startCurrent(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ dialect: 'current', ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** A user of the sandbox, with requests over HTTP and new WebSockets. */
export async function socketUser(sandbox: Sandbox, who = '102') {
  const user = await userClient(sandbox, who);
  const token = async () => {
    const { body } = await send(sandbox, 'POST', '/restapi/oauth/wstoken', { token: user.token });
    return { uri: body.uri, token: String(body['ws_access_token']) };
  };
  return {
    ...user,
    socketToken: token,
    /** Connects with a new token, and waits for the first frame. */
    async connect(wsc?: string, options: ConnectOptions = {}) {
      const { uri, token: text } = await token();
      return openSocket(`${uri}?access_token=${text}${wsc === undefined ? '' : `&wsc=${wsc}`}`, options);
    },
    /** Sends a text to a colleague, which is an event of the message store. */
    text: (value: string) =>
      user.post('/account/~/extension/~/sms', {
        from: { phoneNumber: '+16505550112' },
        to: [{ phoneNumber: '+16505550113' }],
        text: value,
      }),
  };
}

interface ConnectOptions {
  readonly autoPong?: boolean;
}

/** Cuts a connection, and waits until the sandbox has noticed the loss. */
export async function loseConnection(sandbox: Sandbox, socket: TestSocket): Promise<void> {
  socket.socket.terminate();
  await socket.end();
  // The request is answered after the end of the connection was processed.
  await fetch(`${sandbox.url}/restapi`);
}

let count = 0;

/** A WebSocket that records its frames, each of which must have a shape of the contract. */
export class TestSocket {
  readonly socket: WebSocket;
  readonly frames: Frame[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;

  constructor(uri: string, options: ConnectOptions = {}) {
    this.socket = new WebSocket(uri, options);
    this.socket.on('message', (data) => {
      const frame = ServerFrame.parse(JSON.parse((data as Buffer).toString()));
      const [meta, body] = frame as [Omit<Frame, 'body'>, Frame['body']];
      this.frames.push({ ...meta, body });
    });
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
    });
    this.socket.on('error', () => undefined);
    onTestFinished(() => this.socket.terminate());
  }

  /** The frames of a type. */
  of(type: string): readonly Frame[] {
    return this.frames.filter((frame) => frame.type === type);
  }

  /** Waits for a number of frames of a type. */
  async expect(type: string, length: number): Promise<readonly Frame[]> {
    return eventually(() => {
      const found = this.of(type);
      if (found.length < length) throw new Error(`${found.length} of ${length} frames of type ${type}`);
      return found;
    });
  }

  /** The position of the newest frame that has one. */
  get position(): string {
    return this.frames.findLast(({ wsc }) => wsc)?.wsc?.token ?? '';
  }

  /** Sends a request and waits for the frame with its messageId. */
  async request(method: string, path: string, body?: unknown, messageId = nextId()): Promise<Frame> {
    const meta = { type: 'ClientRequest', messageId, method, path };
    this.socket.send(JSON.stringify(body === undefined ? [meta] : [meta, body]));
    return this.answer(messageId);
  }

  answer(messageId: string): Promise<Frame> {
    return eventually(() => {
      const found = this.frames.find((frame) => frame.messageId === messageId);
      if (!found) throw new Error(`no frame with messageId ${messageId}`);
      return found;
    });
  }

  subscribe(eventFilters: readonly string[] = [messages]): Promise<Frame> {
    return this.request('POST', subscriptionPath, {
      eventFilters,
      deliveryMode: { transportType: 'WebSocket' },
    });
  }

  /** Events by the text of the message that they report. */
  get events(): readonly string[] {
    return this.of('ServerNotification').map(({ body }) => String(body['uuid']));
  }

  async end(): Promise<{ readonly code: number; readonly reason: string }> {
    return eventually(() => {
      if (!this.closed) throw new Error('the WebSocket is open');
      return this.closed;
    });
  }
}

function nextId(): string {
  count += 1;
  return `client-${count}`;
}

/** Connects, and waits for the first frame. */
export async function openSocket(uri: string, options: ConnectOptions = {}): Promise<TestSocket> {
  const socket = new TestSocket(uri, options);
  await Promise.race([once(socket.socket, 'message'), once(socket.socket, 'close')]);
  return socket;
}
