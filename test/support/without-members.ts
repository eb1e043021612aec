import type { HttpSend } from '../../src/client/index.ts';
import { parseJson, stringifyJson } from '../../src/platform/json.ts';
import { fakeReply } from './fake-service.ts';

/** A network that removes these members from every reply, because the published form marks them optional. */
export const without =
  (...names: readonly string[]) =>
  (send: HttpSend): HttpSend =>
  async (request) => {
    const reply = await send(request);
    const body = JSON.parse(stringifyJson(parseJson(await reply.text())), (name, value: unknown) =>
      names.includes(name) ? undefined : value,
    ) as unknown;
    return { ...fakeReply({ status: reply.status, body }), header: (name) => reply.header(name) };
  };
