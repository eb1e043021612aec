import type { z } from 'zod';
import { parseJson, stringifyJson } from '../../platform/json.ts';
import type { ServerBindings } from '../server/app.ts';
import { requestedPart } from '../console/requested-part.ts';
import { ServiceError } from '../request/errors.ts';
import { readBody } from '../server/read-body.ts';
import type { ControlContext } from './control-context.ts';
import { ControlError, issueText } from './control-error.ts';
import { checkOrigin, checkSite } from './guard.ts';
import type { ControlRoute } from './route.ts';
import { controlRoutes } from './routes.ts';

/** Path prefix of all operations that the real service does not have. */
export const controlPrefix = '/sandbox/v1';

const bodyBytes = 1_048_576;

/** Answers a request to the control API. Errors have the form `{ error: { code, message } }`. */
export async function answerControl(
  context: ControlContext,
  request: Request,
  server?: ServerBindings,
): Promise<Response> {
  try {
    checkOrigin(request, server?.incoming);
    checkSite(request);
    const url = new URL(request.url);
    const [route, params] = findRoute(request.method, url.pathname.slice(controlPrefix.length));
    const input = await readInput(route, request, url);
    const result = await route.run(context, input, params);
    if (route.method !== 'GET') context.world.changes.note('service');
    if (result instanceof Response) return await requestedPart(request, result);
    if (typeof result === 'string')
      return new Response(result, { headers: { 'content-type': 'text/plain' } });
    return json(200, result ?? {});
  } catch (error) {
    const rejection = toReply(error);
    if (rejection) return json(...rejection);
    context.world.noteFailure(error);
    return json(500, { error: { code: 'internal', message: 'internal sandbox error' } });
  }
}

function findRoute(method: string, path: string): [ControlRoute, Readonly<Record<string, string>>] {
  let isKnownPath = false;
  for (const route of controlRoutes) {
    const params = match(route.path, path);
    if (!params) continue;
    if (route.method === method) return [route, params];
    isKnownPath = true;
  }
  if (isKnownPath)
    throw new ControlError(
      405,
      'method_not_allowed',
      `${method} is not supported for ${controlPrefix}${path}`,
    );
  throw new ControlError(404, 'not_found', `${controlPrefix}${path} not found`);
}

function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const want = pattern.split('/');
  const have = path.replace(/\/$/, '').split('/');
  if (want.length !== have.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of want.entries()) {
    const given = have[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decode(given);
    else if (part !== given) return undefined;
  }
  return params;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ControlError(400, 'bad_path', 'the path contains an invalid percent encoding');
  }
}

async function readInput(route: ControlRoute, request: Request, url: URL): Promise<unknown> {
  if (!route.input) return undefined;
  if (request.method === 'GET' || request.method === 'DELETE') {
    return check(route.input, Object.fromEntries(url.searchParams));
  }
  const type = request.headers.get('content-type') ?? 'application/json';
  // Browsers can send a cross-origin form without a preflight, but not JSON.
  if (!/^application\/json\b/i.test(type))
    throw new ControlError(415, 'json_only', 'the Content-Type must be application/json');
  const text = new TextDecoder().decode(await readBody(request, bodyBytes));
  try {
    return check(route.input, text.trim() === '' ? {} : parseJson(text));
  } catch (error) {
    if (error instanceof SyntaxError) throw new ControlError(400, 'bad_json', 'the body is not valid JSON');
    throw error;
  }
}

function check(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw new ControlError(400, 'bad_input', issueText(result.error.issues[0]));
}

function toReply(error: unknown): [number, object] | undefined {
  if (error instanceof ControlError) {
    return [error.status, { error: { code: error.code, message: error.message } }];
  }
  if (error instanceof ServiceError) {
    return [error.status, { error: { code: error.body.errorCode, message: error.message } }];
  }
  return undefined;
}

function json(status: number, body: object): Response {
  const headers = {
    'content-type': 'application/json;charset=UTF-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  };
  return new Response(stringifyJson(body), { status, headers });
}
