import { describe, expect, it } from 'vitest';
import { ConnectionError, type HttpSend } from '../../../src/client/index.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { without, withMembers } from '../../support/without-members.ts';
import { openOffice } from '../office.ts';

type Network = (send: HttpSend) => HttpSend;

/** Networks whose replies have another type than the sandbox, or none. Both are permitted by the published form. */
const networks: readonly (readonly [string, Network])[] = [
  ['of type Text', withMembers((name, value) => (name === 'type' && value === 'SMS' ? 'Text' : value))],
  ['without a type', without('type')],
];

/** A user whose next text is sent, but whose reply is lost. */
async function loseReplyOf(network: Network) {
  let isLost = true;
  const { run, sandbox } = await openOffice('administrator', (send) => async (request) => {
    if (!isLost || request.method !== 'POST') return network(send)(request);
    isLost = false;
    await send(request).then((reply) => reply.text());
    throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
  });
  const options = { paths: temporaryPaths(), now: (): number => sandbox.clock.now() };
  const send = 'sms send --to +16505550112 hello --dedupe-key order-1 --yes';
  expect(await run(send, options)).toMatchObject({ exit: 14 });
  await sandbox.clock.advance(60_000);
  return {
    send: () => run(send, options),
    resolve: (flags: string) => run(`outcome resolve ${flags} -o json`, options),
  };
}

describe.each(networks)('a sent text %s', (_, network) => {
  it('proves that the text was sent', async () => {
    const { resolve, send } = await loseReplyOf(network);
    const { exit, stdout } = await resolve('--all --sole-sender');
    expect({ exit, rows: JSON.parse(stdout) as unknown }).toMatchObject({
      exit: 0,
      rows: [{ state: 'sent' }],
    });
    expect(await send()).not.toMatchObject({ exit: 0 });
  });

  it('leaves the outcome unknown if other machines may send texts', async () => {
    const { resolve } = await loseReplyOf(network);
    const { exit, stdout } = await resolve('--all');
    expect({ exit, rows: JSON.parse(stdout) as unknown }).toMatchObject({
      exit: 14,
      rows: [{ state: 'unknown' }],
    });
  });
});
