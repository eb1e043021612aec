import type { RawData, WebSocket } from 'ws';
import { webSocket } from '../../contract/limits.ts';
import type { World } from '../world/world.ts';
import type { LiveConnection } from './registry.ts';
import { FrameError, readFrame, socketErrors, writeError, writeFrame, type ReceivedFrame } from './frames.ts';

/** Unsent bytes of a connection above which the sender waits, so that a slow reader does not fill the memory. */
const unsentBytes = 1_048_576;
/** Number of messageIds of a connection that are compared with a new messageId. */
const rememberedIds = 1000;
/** Close codes of RFC 6455. */
const closeCodes = { goingAway: 1001, policy: 1008 } as const;

/** The functions with which the owner of a connection handles requests and the end. */
interface Owner {
  /**
   * Answers a request; resolves with the frame of the reply. Undefined if a fault cut the connection, or the connection
   * has ended.
   */
  readonly onRequest: (
    frame: ReceivedFrame & { readonly type: 'ClientRequest' },
  ) => Promise<string | undefined>;
  /**
   * Called once when the connection has ended. `isFinal` means that the client closed the connection normally and will
   * not continue.
   */
  readonly onEnd: (isFinal: boolean) => void;
}

/** The protocol of one WebSocket: frames, heartbeats, pings, and the limits of requests. */
export class Connection implements LiveConnection {
  lastActive: number;
  readonly #world: World;
  readonly #socket: WebSocket;
  readonly #name: string;
  readonly #owner: Owner;
  readonly #seen = new Set<string>();
  /** Heartbeats of the server that the client has not returned. */
  readonly #heartbeats = new Set<string>();
  #isOpen = false;
  #active = 0;
  #count = 0;
  /** Time of the last frame in any direction, according to the clock of the machine. */
  #lastFrame: number;
  #ping: NodeJS.Timeout | undefined;
  #pong: NodeJS.Timeout | undefined;

  constructor(world: World, socket: WebSocket, name: string, owner: Owner) {
    this.#world = world;
    this.#socket = socket;
    this.#name = name;
    this.#owner = owner;
    this.lastActive = world.clock.now();
    this.#lastFrame = world.clock.machine();
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('ping', (data) => this.#answerPing(data));
    socket.on('pong', () => this.#clearPong());
    // The event of the end follows. Invalid UTF-8, frames that violate RFC 6455, and lost connections are
    // errors of ws.
    socket.on('error', () => undefined);
    socket.on('close', (code) => this.#end(code === 1000));
  }

  get isWritable(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Returns a new messageId for a frame of the server. */
  nextId(): string {
    this.#count += 1;
    return `${this.#name}-${this.#count}`;
  }

  /** Sends the first frame, after which the client may send. */
  open(frame: string): void {
    this.#isOpen = true;
    void this.send(frame);
    const { webSocketPingMilliseconds: interval } = this.#world.settings;
    this.#ping = setInterval(() => this.#check(), interval);
    this.#ping.unref();
  }

  send(frame: string): Promise<void> | undefined {
    this.#noteActivity();
    if (this.#socket.bufferedAmount < unsentBytes) {
      this.#socket.send(frame);
      return undefined;
    }
    return new Promise((resolve) => this.#socket.send(frame, () => resolve()));
  }

  sendSplit(frame: string): Promise<void> | undefined {
    this.#noteActivity();
    const bytes = Buffer.from(frame);
    const third = Math.ceil(bytes.length / 3);
    for (const index of [0, 1, 2]) {
      const part = bytes.subarray(index * third, (index + 1) * third);
      this.#socket.send(part, { binary: false, fin: index === 2 });
    }
    return undefined;
  }

  /** Sends an error and closes the connection. */
  fail(status: number, errorCode: string, message: string): void {
    this.#socket.send(writeError(this.nextId(), status, { errorCode, message }));
    this.#socket.close(closeCodes.policy, errorCode);
  }

  timeOut(kind: 'idle' | 'absolute'): void {
    const errorCode = webSocket.codes[kind];
    const message = `WebSocket connection is closed by ${kind} timeout`;
    this.#socket.send(writeError(this.nextId(), 408, { errorCode, message }));
    this.#socket.close(closeCodes.goingAway, errorCode);
  }

  terminate(): void {
    this.#socket.terminate();
  }

  close(): void {
    this.#socket.close(closeCodes.goingAway);
    this.#socket.terminate();
  }

  #noteActivity(): void {
    this.lastActive = this.#world.clock.now();
    this.#lastFrame = this.#world.clock.machine();
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#noteActivity();
    try {
      const frame = this.#read(data, isBinary);
      if (frame.type === 'Heartbeat') this.#answerHeartbeat(frame.meta.messageId);
      else void this.#answer(frame);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      const { message, messageId } = error;
      void this.send(writeError(messageId ?? this.nextId(), 400, { errorCode: socketErrors.frame, message }));
    }
  }

  /** @throws {FrameError} */
  #read(data: RawData, isBinary: boolean): ReceivedFrame {
    if (isBinary) throw new FrameError('Binary messages are not supported');
    const bytes = data as Buffer;
    const limit = this.#world.settings.requestBodyBytes;
    if (bytes.byteLength > limit) throw new FrameError(`The message is larger than ${limit} bytes`);
    const frame = readFrame(bytes.toString());
    if (!this.#isOpen) {
      throw new FrameError('ConnectionDetails has not been sent yet', frame.meta.messageId);
    }
    return frame;
  }

  /** Returns a heartbeat of the client. A returned heartbeat of the server needs no reply. */
  #answerHeartbeat(messageId: string): void {
    if (this.#heartbeats.delete(messageId) || this.#world.faults.onSocketPong()) return;
    void this.send(writeFrame([{ type: 'Heartbeat', messageId }]));
  }

  #answerPing(data: Buffer): void {
    if (!this.#world.faults.onSocketPong()) this.#socket.pong(data);
  }

  async #answer(frame: ReceivedFrame & { readonly type: 'ClientRequest' }): Promise<void> {
    const { messageId } = frame.meta;
    const error = this.#rejectionOf(messageId);
    if (error) {
      void this.send(writeError(messageId, ...error));
      return;
    }
    this.#active += 1;
    const response = await this.#owner.onRequest(frame).finally(() => {
      this.#active -= 1;
    });
    if (response === undefined) this.terminate();
    else void this.send(response);
  }

  #rejectionOf(messageId: string): [number, { errorCode: string; message: string }] | undefined {
    if (this.#seen.has(messageId)) {
      return [400, { errorCode: socketErrors.frame, message: `The messageId [${messageId}] is not unique` }];
    }
    const { webSocketActiveRequests: limit } = this.#world.settings;
    if (this.#active >= limit) {
      return [
        429,
        { errorCode: socketErrors.requests, message: `The limit of ${limit} active requests is reached` },
      ];
    }
    this.#seen.add(messageId);
    if (this.#seen.size > rememberedIds) for (const oldest of this.#seen) return this.#forget(oldest);
    return undefined;
  }

  #forget(messageId: string): undefined {
    this.#seen.delete(messageId);
  }

  /** Sends a ping, and a heartbeat after a long silence. Without a reply to the ping, the connection is lost. */
  #check(): void {
    const { webSocketPongMilliseconds, webSocketHeartbeatMilliseconds } = this.#world.settings;
    this.#socket.ping();
    // The time limit of an earlier ping without a reply still applies.
    this.#pong ??= setTimeout(() => this.terminate(), webSocketPongMilliseconds).unref();
    if (this.#world.clock.machine() - this.#lastFrame < webSocketHeartbeatMilliseconds) return;
    const messageId = this.nextId();
    this.#heartbeats.clear();
    this.#heartbeats.add(messageId);
    // The heartbeats of the server do not extend the idle time.
    this.#socket.send(writeFrame([{ type: 'Heartbeat', messageId }]));
    this.#lastFrame = this.#world.clock.machine();
  }

  #clearPong(): void {
    clearTimeout(this.#pong);
    this.#pong = undefined;
  }

  #end(isFinal: boolean): void {
    clearInterval(this.#ping);
    this.#clearPong();
    this.#isOpen = false;
    this.#owner.onEnd(isFinal);
  }
}
