/** A reply that came in a run. */
export interface SeenReply {
  readonly method: string;
  /** Path of a request to the interface; another address may be a credential. */
  readonly path: string;
  readonly status: number;
}

/** What a run was answered so far, for the report of a failure that follows from it. */
export class SeenReplies {
  last: SeenReply | undefined;
  /** The last one that accepted a change. */
  lastChange: SeenReply | undefined;

  see({ method, url }: { readonly method: string; readonly url: URL }, status: number): void {
    const isOfInterface = url.pathname.includes('/restapi/');
    const reply = { method, path: isOfInterface ? url.pathname : '(another address)', status };
    this.last = reply;
    if (isOfInterface && method !== 'GET' && status < 300 && !url.pathname.includes('/oauth/'))
      this.lastChange = reply;
  }
}
