import type { ChangeTopic } from '../world/changes.ts';
import type { World } from '../world/world.ts';
import { pageBuild } from './page.ts';

/** Milliseconds between comments that keep the connection open and detect a closed browser. */
const heartbeatMilliseconds = 15_000;
/**
 * Notifications that a browser may leave unread before it is disconnected; it reads all data again when it reconnects.
 */
const mostUnread = 100;

/**
 * Server-sent events: one `change` event with the changed parts of the state for each burst of changes. The first event
 * is `ready` with the build of the page.
 */
export function changeStream(world: World): Response {
  const encoder = new TextEncoder();
  let end: () => void = () => undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string): void => {
        if ((controller.desiredSize ?? 0) < -mostUnread) {
          end();
          controller.close();
        } else controller.enqueue(encoder.encode(text));
      };
      const unwatch = world.changes.watch((topics: readonly ChangeTopic[]) =>
        write(`event: change\ndata: ${JSON.stringify({ topics })}\n\n`),
      );
      const heartbeat = setInterval(() => write(': heartbeat\n\n'), heartbeatMilliseconds);
      heartbeat.unref();
      end = () => {
        unwatch();
        clearInterval(heartbeat);
      };
      write(`event: ready\ndata: ${JSON.stringify({ build: pageBuild() })}\n\n`);
    },
    cancel: () => end(),
  });
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}
