import type { Answer } from './app.ts';
import { answerPage } from '../console/page.ts';
import { answerControl, controlPrefix } from '../control/control-app.ts';
import type { ControlContext } from '../control/control-context.ts';
import { answerHealth } from '../control/health.ts';
import { Interrupted } from '../control/interrupted.ts';
import type { World } from '../world/world.ts';

/** Adds the endpoints that only the sandbox has to the simulated service: health checks, the contract and the control API. */
export function withControl(context: ControlContext, service: Answer): Answer {
  return async (request, server) => {
    const start = request.url.indexOf('/', request.url.indexOf('//') + 2);
    if (request.url.startsWith('/restapi', start)) return service(request, server);
    const path = new URL(request.url).pathname;
    if (path === controlPrefix || path.startsWith(`${controlPrefix}/`)) {
      return answerControl(context, request, server);
    }
    const page = answerPage(request, path, server);
    if (page) return page;
    const health = request.method === 'GET' ? answerHealth(context.world, path) : undefined;
    return health ?? service(request, server);
  };
}

/** Internal errors are stored for `close`, because a client over a socket does not see them. */
export function recording(answer: Answer, world: World): Answer {
  return async (request, server) => {
    try {
      return await answer(request, server);
    } catch (error) {
      if (!(error instanceof Interrupted)) world.noteFailure(error);
      throw error;
    }
  };
}
