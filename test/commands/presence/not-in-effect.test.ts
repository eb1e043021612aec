import { describe, expect, it } from 'vitest';
import {
  ConnectionError,
  type HttpReply,
  type HttpRequest,
  type HttpSend,
} from '../../../src/client/index.ts';
import { Interrupted } from '../../../src/errors/interrupted.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { openOffice } from '../office.ts';

const line = 'presence set 102 --dnd-status DoNotAcceptAnyCalls -o json';
const notInEffect = 'The service accepted the change, but it did not take effect.';
const notConfirmed =
  'No reply confirms the change, and it is not in effect, but the service may still make it: ';

/** The office behind a network that answers each change of a presence as `answer` says. */
function answering(answer: (request: HttpRequest, send: HttpSend) => Promise<HttpReply>) {
  return openOffice('administrator', (send) => (request) => {
    return request.method === 'PUT' ? answer(request, send) : send(request);
  });
}

const bodyOf = (text: string) => JSON.parse(text) as Record<string, unknown>;

describe('presence set of one person', () => {
  it.each([
    ['PUT', 'interrupted: the service may have made the change (no reply)'],
    ['GET', 'The service accepted the change, but ucctl could not read it back: interrupted'],
  ])('has an unknown outcome after Ctrl-C during the %s', async (method, message) => {
    const stop = new AbortController();
    let isSent = false;
    const { run } = await openOffice('administrator', (send) => async (request) => {
      isSent ||= request.method === 'PUT';
      if (!isSent || request.method !== method) return send(request);
      if (method === 'PUT') await (await send(request)).text();
      stop.abort(new Interrupted('SIGINT'));
      throw stop.signal.reason;
    });
    const { exit, stdout, stderr } = await run(line, { signal: stop.signal });
    expect([exit, stdout]).toEqual([14, '']);
    expect(bodyOf(stderr)).toMatchObject({
      error: {
        code: 'outcome_unknown',
        message,
        hint: 'to show the presence: ucctl presence show 171857102',
      },
    });
  });

  it('fails when the reply still has the state from before', async () => {
    const { run } = await answering((request, send) => send({ ...request, method: 'GET', body: undefined }));
    const { exit, stdout, stderr } = await run(line);
    expect([exit, stdout]).toEqual([1, '']);
    expect(bodyOf(stderr)).toMatchObject({
      error: {
        code: 'not_in_effect',
        message: notInEffect,
        details: ['dndStatus is TakeAllCalls instead of DoNotAcceptAnyCalls'],
      },
    });
  });

  it.each([{ login: 'https://wifi.example' }, {}, { errorCode: 'CMN-101', message: 'no' }])(
    'has an unknown outcome when %j comes and nothing was changed',
    async (body) => {
      const { run } = await answering(() => Promise.resolve(fakeReply({ status: 200, body })));
      const { exit, stdout, stderr } = await run(line);
      expect([exit, stdout]).toEqual([14, '']);
      expect(bodyOf(stderr)).toMatchObject({
        error: {
          code: 'outcome_unknown',
          message: expect.stringContaining(notConfirmed) as string,
          details: ['dndStatus is TakeAllCalls instead of DoNotAcceptAnyCalls'],
        },
      });
    },
  );

  it.each([{ login: 'https://wifi.example' }, { presenceStatus: 'Available' }])(
    'reads back when %j comes after the change was made',
    async (body) => {
      const { run } = await answering(async (request, send) => {
        await send(request);
        return fakeReply({ status: 200, body });
      });
      const { exit, stdout } = await run(line);
      expect([exit, bodyOf(stdout)]).toMatchObject([
        0,
        {
          dndStatus: 'DoNotAcceptAnyCalls',
          changes: { dndStatus: { from: 'TakeAllCalls', to: 'DoNotAcceptAnyCalls' } },
        },
      ]);
    },
  );

  it.each([408, 499])(
    'reads back after HTTP %i, which a gateway also sends for changes that were made',
    async (status) => {
      const { run } = await answering(async (request, send) => {
        await send(request);
        return fakeReply({ status });
      });
      const { exit, stdout } = await run(line);
      expect([exit, bodyOf(stdout)]).toMatchObject([0, { dndStatus: 'DoNotAcceptAnyCalls' }]);
    },
  );

  it.each([408, 499, 502])(
    'has an unknown outcome after HTTP %i when the change is not in effect',
    async (status) => {
      const { run } = await answering(() => Promise.resolve(fakeReply({ status })));
      const { exit, stdout, stderr } = await run(`${line} --retry 0`);
      expect([exit, stdout]).toEqual([14, '']);
      expect(bodyOf(stderr)).toMatchObject({ error: { code: 'outcome_unknown' } });
    },
  );

  it.each([true, false])('reads back after a lost reply; the change was made: %s', async (isMade) => {
    const { run } = await answering(async (request, send) => {
      if (isMade) await send(request).then((reply) => reply.text());
      throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
    });
    const { exit, stderr } = await run(`${line} --retry 0`);
    expect(exit).toBe(isMade ? 0 : 14);
    expect(stderr.includes(notConfirmed)).toBe(!isMade);
  });

  it('has an unknown outcome when only the reply has the change, of somebody else', async () => {
    const body = { dndStatus: 'DoNotAcceptAnyCalls', presenceStatus: 'Available', extension: { id: 1 } };
    const { run } = await answering(() => Promise.resolve(fakeReply({ status: 200, body })));
    const { exit, stdout, stderr } = await run(line);
    expect([exit, stdout]).toEqual([14, '']);
    expect(stderr).toContain(notConfirmed);
  });

  it('fails when only the reply has the change', async () => {
    const body = { dndStatus: 'DoNotAcceptAnyCalls' };
    const { run } = await answering(() => Promise.resolve(fakeReply({ status: 200, body })));
    const { exit, stdout, stderr } = await run(line);
    expect([exit, stdout]).toEqual([1, '']);
    expect(bodyOf(stderr)).toMatchObject({ error: { code: 'not_in_effect', message: notInEffect } });
  });

  it('does not take the presence of another extension for the one asked for', async () => {
    const body = { dndStatus: 'DoNotAcceptAnyCalls', extension: { id: 1 } };
    const { run } = await openOffice('administrator', (send) => (request) => {
      return request.url.pathname.endsWith('/presence')
        ? Promise.resolve(fakeReply({ status: 200, body }))
        : send(request);
    });
    const read = await run('presence show 102 -o json');
    expect([read.exit, bodyOf(read.stderr)]).toMatchObject([1, { error: { code: 'bad_reply' } }]);
  });

  it('leaves the outcome unknown when the reply has the change and reading back fails', async () => {
    let changed = false;
    const { run } = await openOffice('administrator', (send) => async (request) => {
      if (changed && request.method === 'GET') return fakeReply({ status: 400, body: {} });
      changed ||= request.method === 'PUT';
      return send(request);
    });
    const { exit, stdout, stderr } = await run(line);
    expect([exit, stdout]).toEqual([14, '']);
    expect(stderr).toContain('could not read it back');
  });

  it('says that the change may have been made when nothing can be read', async () => {
    const page = fakeReply({ status: 200, body: { login: 'x' } });
    let changed = false;
    const { run } = await openOffice('administrator', (send) => (request) => {
      changed ||= request.method === 'PUT';
      return changed ? Promise.resolve(page) : send(request);
    });
    const { exit, stderr } = await run(line);
    expect(exit).toBe(14);
    expect(bodyOf(stderr)).toMatchObject({
      error: {
        code: 'outcome_unknown',
        message: expect.stringContaining('may have made the change') as string,
      },
    });
  });
});
