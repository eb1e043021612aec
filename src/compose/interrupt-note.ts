import type { HttpRequest, HttpSend } from '../client/index.ts';
import type { ProgramOutput } from '../output/index.ts';
import type { System } from '../runtime/system.ts';

/** Milliseconds after Ctrl-C before the note, because most replies arrive earlier. */
const noteDelay = 1000;

/**
 * Reports after Ctrl-C, on a terminal, that ucctl waits for a reply, and what a second Ctrl-C does. Ctrl-C does not abort
 * a request without a signal: without its reply, the outcome of a change would be unknown.
 */
export function withInterruptNote(
  send: HttpSend,
  { system, out }: { readonly system: System; readonly out: Pick<ProgramOutput, 'note'> },
): HttpSend {
  const waiting = new Set<HttpRequest>();
  let noted = new AbortController();
  const note = async (): Promise<void> => {
    if (waiting.size === 0 || !system.stderr.isTerminal) return;
    noted = new AbortController();
    await system.sleep(noteDelay, noted.signal);
    const [request] = waiting;
    if (request) out.note(noteText(request));
  };
  let isWatching = false;
  return async (request) => {
    if (request.signal) return send(request);
    if (!isWatching) system.signal.addEventListener('abort', () => void note().catch(() => undefined));
    isWatching = true;
    waiting.add(request);
    try {
      return await send(request);
    } finally {
      waiting.delete(request);
      if (waiting.size === 0) noted.abort();
    }
  };
}

function noteText({ method, url, timeoutMilliseconds }: HttpRequest): string {
  const limit = timeoutMilliseconds > 0 ? ` for up to ${Math.ceil(timeoutMilliseconds / 1000)} s` : '';
  const effect = method === 'GET' ? '' : ', although the request may have taken effect';
  return `Waiting${limit} for the reply of ${url.host}. Press Ctrl-C again to exit without the reply${effect}.`;
}
