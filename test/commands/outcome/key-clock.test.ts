import { describe, expect, it } from 'vitest';
import type { HttpReply, HttpSend } from '../../../src/client/index.ts';
import { ConnectionError } from '../../../src/client/index.ts';
import { smsNoun } from '../../../src/commands/sms/noun.command.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const send = 'sms send --to +16505550112 hello --dedupe-key monday --yes';
const hour = 3_600_000;
const day = 24 * hour;

interface Clocks {
  /** Milliseconds since the first send, by the clock of the service. */
  readonly later: number;
  /** How far the clock of this machine is ahead of the clock of the service, in milliseconds. */
  readonly ahead: number;
}

function dated(reply: HttpReply, time: number | undefined): HttpReply {
  const date = time === undefined ? undefined : new Date(time).toUTCString();
  return { ...reply, header: (name) => (name === 'date' ? date : reply.header(name)) };
}

/** A machine and a service with clocks of their own. */
async function clocks(network: { readonly isDated?: boolean; readonly losesVersions?: boolean } = {}) {
  let served = 0;
  const requests: string[] = [];
  const answer =
    (http: HttpSend): HttpSend =>
    async (request) => {
      requests.push(`${request.method} ${request.url.pathname}`);
      if (network.losesVersions && request.url.pathname.endsWith('/restapi')) {
        throw new ConnectionError('ECONNREFUSED', 'no', request.url.origin, undefined);
      }
      return dated(await http(request), network.isDated === false ? undefined : served);
    };
  const opened = await openOffice('administrator', answer);
  const paths = temporaryPaths();
  const start = opened.sandbox.clock.now();
  const run = (command: string, { later, ahead }: Clocks) => {
    served = start + later;
    requests.length = 0;
    return opened.run(command, { nouns: [smsNoun], paths, now: served + ahead });
  };
  const sent = () => requests.filter((line) => line.startsWith('POST')).length;
  const versions = () => requests.filter((line) => line.endsWith('/restapi')).length;
  return { run, sent, versions };
}

describe('a dedupe key is valid for a day by the clock of the service', () => {
  it('if this clock was a day behind at the first send', async () => {
    const { run, sent } = await clocks();
    expect((await run(send, { later: 0, ahead: -day })).exit).toBe(0);
    expect(sent()).toBe(1);
    const second = await run(send, { later: hour, ahead: 0 });
    expect(second).toMatchObject({ exit: 11 });
    expect(sent()).toBe(0);
  });

  it.each([day, 20 * day])('if this clock is %i ms ahead at the second send', async (ahead) => {
    const { run, sent } = await clocks();
    expect((await run(send, { later: 0, ahead: 0 })).exit).toBe(0);
    const second = await run(send, { later: hour, ahead });
    expect(second).toMatchObject({ exit: 11 });
    expect(second.stderr).toContain('monday');
    expect(sent()).toBe(0);
    expect(await run(`${send} --dry-run`, { later: hour, ahead })).toMatchObject({ exit: 11 });
  });

  it('and can be used again after a day', async () => {
    const { run, sent, versions } = await clocks();
    await run(send, { later: 0, ahead: 0 });
    expect((await run(send, { later: 25 * hour, ahead: 0 })).exit).toBe(0);
    expect([sent(), versions()]).toEqual([1, 1]);
    // An unused key needs no comparison of the clocks.
    expect((await run(send.replace('monday', 'tuesday'), { later: 25 * hour, ahead: 0 })).exit).toBe(0);
    expect([sent(), versions()]).toEqual([1, 0]);
  });

  it('or by the clock of this machine, if the service does not send its time', async () => {
    const { run, sent } = await clocks({ isDated: false });
    await run(send, { later: 0, ahead: 0 });
    expect((await run(send, { later: 25 * hour, ahead: 0 })).exit).toBe(0);
    expect(sent()).toBe(1);
  });

  it('and nothing is sent if the clock cannot be compared', async () => {
    const { run, sent } = await clocks({ losesVersions: true });
    await run(send, { later: 0, ahead: 0 });
    const second = await run(send, { later: 25 * hour, ahead: 0 });
    expect(second).toMatchObject({ exit: 7 });
    expect(sent()).toBe(0);
  });
});
