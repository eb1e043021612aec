import type { WebSocket } from 'ws';

/** What is sent in place of an event: frames, a connection that is cut, or a close frame. */
export type Outgoing =
  | readonly (string | Buffer)[]
  | 'cut'
  | { readonly close: number; readonly reason: string; readonly first?: string };

/** One way in which the service misbehaves. Absent members behave as documented. Connections are counted from 1. */
export interface Fault {
  readonly name: string;
  /** Texts that the program must show on stderr. */
  readonly says?: readonly string[];
  /** Greatest number of token requests that this fault may cause. */
  readonly tokens: number;
  token?(
    attempt: number,
  ):
    | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
    | undefined;
  /** Changes every frame that the service sends. */
  frame?(frame: string): string;
  upgrade?(attempt: number): number | 'hang' | 'destroy' | undefined;
  /** Retry-After of a rejected upgrade in seconds; 2 if it is missing. */
  readonly retryAfter?: number;
  /** Frames before the connection details, or none at all, not even the details. */
  greeting?(connection: number): 'normal' | 'none' | readonly (string | Buffer)[];
  recovery?(connection: number): 'Failed' | undefined;
  response?(request: {
    readonly messageId: string;
    readonly connection: number;
  }): readonly string[] | undefined;
  event?(sent: {
    readonly frame: string;
    readonly id: number;
    readonly connection: number;
  }): Outgoing | undefined;
  /** Whether heartbeats stay unanswered. */
  isSilent?(connection: number): boolean;
  opened?(opened: { readonly socket: WebSocket; readonly connection: number }): void;
}
