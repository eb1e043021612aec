import type { HttpSend } from '../../src/client/index.ts';

interface Page {
  readonly records: readonly { readonly id: number | string }[];
}

/** A network in which the list of extensions does not contain one extension while it is hidden. */
export const withoutExtension =
  (id: string, isHidden: () => boolean = () => true) =>
  (send: HttpSend): HttpSend =>
  async (request) => {
    const reply = await send(request);
    if (!request.url.pathname.endsWith('/extension') || !isHidden()) return reply;
    const page = JSON.parse(await reply.text()) as Page;
    const records = page.records.filter((one) => String(one.id) !== id);
    return { ...reply, text: () => Promise.resolve(JSON.stringify({ ...page, records })) };
  };
