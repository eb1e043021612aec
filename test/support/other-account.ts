import type { HttpSend } from '../../src/client/index.ts';

/** The same service with another account. */
export function otherAccount(send: HttpSend): HttpSend {
  return async (request) => {
    const reply = await send(request);
    const text = async (): Promise<string> =>
      (await reply.text()).replaceAll('/account/400131426', '/account/500131426');
    return {
      ...reply,
      text,
      async *bytes() {
        yield Buffer.from(await text());
      },
    };
  };
}
