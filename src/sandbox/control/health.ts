import { addressOf } from '../request/uris.ts';
import type { World } from '../world/world.ts';
import { openApi } from './openapi.ts';
import { prometheusText } from './prometheus.ts';

/** Replies to monitoring: liveness, readiness, counters and the OpenAPI document. Undefined for any other path. */
export function answerHealth(world: World, path: string): Response | undefined {
  switch (path) {
    case '/livez':
      return text('ok\n');
    case '/readyz':
      return ready(world);
    case '/metrics':
      return text(prometheusText(world), 'text/plain; version=0.0.4; charset=utf-8');
    case '/openapi.json':
      return text(
        JSON.stringify(openApi(addressOf(world, ''), world.dialectName)),
        'application/json;charset=UTF-8',
      );
    default:
      return undefined;
  }
}

/** The sandbox is ready when its database answers a query. */
function ready(world: World): Response {
  try {
    world.meta.get('fixture');
    return text('ok\n');
  } catch {
    return new Response('the database does not reply\n', { status: 503 });
  }
}

function text(body: string, type = 'text/plain; charset=utf-8'): Response {
  return new Response(body, { headers: { 'content-type': type } });
}
