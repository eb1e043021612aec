import { mayRepeat } from '../platform/reading-paths.ts';
import { isInterfacePath } from '../platform/request-path.ts';

/** A reply that was received in a run. */
export interface SeenReply {
  readonly method: string;
  /** Path of a request to the interface. Other addresses are not stored, because they may contain credentials. */
  readonly path: string;
  readonly status: number;
}

/** The replies of a run so far, for the report of a failure that a reply causes. */
export class SeenReplies {
  last: SeenReply | undefined;
  /** The last reply in which the service accepted a change. */
  lastChange: SeenReply | undefined;
  /** Whether a request that may make a change got any reply. */
  mayHaveChanged = false;

  see({ method, url }: { readonly method: string; readonly url: URL }, status: number): void {
    const isOfInterface = isInterfacePath(url.pathname);
    const reply = { method, path: isOfInterface ? url.pathname : '(another address)', status };
    this.last = reply;
    if (!isOfInterface || method === 'GET' || url.pathname.includes('/oauth/')) return;
    this.mayHaveChanged = true;
    if (status < 300 && isForUser(method, url.pathname)) this.lastChange = reply;
  }
}

/** Whether the user must check a change before a repetition: not a search, and not the subscription of a listener. */
function isForUser(method: string, path: string): boolean {
  return !mayRepeat({ method, path }) && !path.includes('/subscription');
}
