import type { HttpSend } from '../../src/client/index.ts';
import { parseJson, stringifyJson } from '../../src/platform/json.ts';
import { fakeReply } from './fake-service.ts';

/** A network that changes every member of every reply. `change` returns the new value, or undefined without one. */
export const withMembers =
  (change: (name: string, value: unknown) => unknown) =>
  (send: HttpSend): HttpSend =>
  async (request) => {
    const reply = await send(request);
    const text = await reply.text();
    const body = text === '' ? text : (JSON.parse(stringifyJson(parseJson(text)), change) as unknown);
    return { ...fakeReply({ status: reply.status, body }), header: (name) => reply.header(name) };
  };

/** A network that removes these members from every reply, because the published form marks them optional. */
export const without = (...names: readonly string[]): ((send: HttpSend) => HttpSend) =>
  withMembers((name, value) => (names.includes(name) ? undefined : value));
