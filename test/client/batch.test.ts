import { describe, expect, it } from 'vitest';
import { buildClient, type MessageOutcome } from '../../src/client/index.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { userClient } from '../sandbox/request.ts';
import { fakeService, plainSettings, type FakeAnswer } from '../support/fake-service.ts';
import { sandboxHttp } from '../support/sandbox.ts';

const vendorType = 'application/vnd.ringcentral.multipart+json';
const store = 'https://service.example/restapi/v1.0/account/1/extension/2/message-store';

interface Entry {
  readonly id: string;
  readonly status: number;
  readonly body?: object;
}
const message = (id: string, more: object = {}): Entry => ({
  id,
  status: 200,
  body: { id: Number(id), readStatus: 'Read', ...more },
});
const missing = (id: string): Entry => ({
  id,
  status: 404,
  body: { errorCode: 'CMN-102', message: 'not there' },
});

/** The text of a multipart reply: its head and, for each entry, a part. */
function multipartText(entries: readonly Entry[], bodies: readonly unknown[], newline = '\r\n'): string {
  const response = entries.map(({ id, status }) => ({
    href: `${store}/${id}`,
    status,
    responseDescription: '',
  }));
  const parts = [{ response }, ...bodies].map((json) =>
    ['--Boundary_1', 'Content-Type: application/json', '', JSON.stringify(json), ''].join(newline),
  );
  return `${parts.join('')}--Boundary_1--${newline}`;
}
const multipart = (text: string): FakeAnswer => ({
  status: 207,
  headers: { 'content-type': 'multipart/mixed; boundary=Boundary_1' },
  body: Buffer.from(text),
});
const whole = (entries: readonly Entry[]): string =>
  multipartText(
    entries,
    entries.map(({ body }) => body),
  );
const raw = (type: string, text: string, status = 207): FakeAnswer => ({
  status,
  headers: { 'content-type': type },
  body: Buffer.from(text),
});
const json = (type: string, value: unknown, status?: number): FakeAnswer =>
  raw(type, JSON.stringify(value), status);
const array = (entries: readonly Entry[]): unknown =>
  entries.map(({ id, status, body }) => ({ resourceId: id, status, body }));

async function all(outcomes: AsyncIterable<MessageOutcome>): Promise<readonly MessageOutcome[]> {
  const found: MessageOutcome[] = [];
  for await (const outcome of outcomes) found.push(outcome);
  return found;
}

function mark(answer: FakeAnswer, ids: readonly string[] = ['1', '2']) {
  const { http, asked } = fakeService([answer]);
  const { messages } = buildClient({ ...plainSettings, http });
  return { asked, outcomes: all(messages.updateEach(ids, { readStatus: 'Read' })) };
}
const statuses = async (answer: FakeAnswer, ids?: readonly string[]) =>
  (await mark(answer, ids).outcomes).map(({ id, status }) => [id, status]);

describe('a reply about several ids', () => {
  const entries = [message('1'), missing('2')];
  it.each<[string, FakeAnswer]>([
    ['multipart/mixed', multipart(whole(entries))],
    [
      'multipart/mixed with bare line feeds',
      multipart(
        multipartText(
          entries,
          entries.map(({ body }) => body),
          '\n',
        ),
      ),
    ],
    ['the vendor type', json(`${vendorType};charset=UTF-8`, array(entries))],
    ['a JSON array', json('application/json;charset=UTF-8', array(entries))],
    ['a JSON array in another order', json('application/json', array(entries.toReversed()))],
    [
      'ids as numbers',
      json(
        vendorType,
        entries.map(({ id, ...rest }) => ({ ...rest, resourceId: Number(id) })),
      ),
    ],
    [
      'a JSON array that names addresses',
      json(
        'application/json',
        entries.map(({ id, status, body }) => ({ status, body, href: `${store}/${id}?view=x` })),
      ),
    ],
  ])('is read as %s', async (_, answer) => {
    expect(await mark(answer).outcomes).toEqual([
      {
        id: '1',
        status: 200,
        // Lists and objects that the program reads into are filled in, as in a reply about one message.
        message: { id: 1, readStatus: 'Read', from: {}, to: [], attachments: [] },
        reason: undefined,
      },
      { id: '2', status: 404, message: undefined, reason: 'not there' },
    ]);
  });

  it('does not prove the change of an id with the status 202, which only says that it was accepted', async () => {
    const accepted = { ...message('2'), status: 202 };
    const answer = json('application/json', array([message('1'), accepted]));
    expect(await statuses(answer)).toEqual([
      ['1', 200],
      ['2', undefined],
    ]);
  });

  it('is read with a quoted boundary, a preamble and the boundary inside a text', async () => {
    const text = `preamble\r\n${whole([message('1', { subject: '--Boundary_1' }), message('2')])}`;
    const answer = {
      status: 207,
      headers: { 'content-type': 'Multipart/Mixed; charset=utf-8; boundary="Boundary_1"' },
      body: Buffer.from(text),
    };
    const [first] = await mark(answer).outcomes;
    expect(first?.message?.subject).toBe('--Boundary_1');
    expect(await statuses(answer)).toEqual([
      ['1', 200],
      ['2', 200],
    ]);
  });

  it('is matched by address, not by position', async () => {
    const swapped = [message('2'), message('1')];
    expect(await statuses(multipart(whole([missing('2'), message('1')])))).toEqual([
      ['1', 200],
      ['2', 404],
    ]);
    const crossed = multipart(multipartText(swapped, [message('1').body, message('2').body]));
    expect((await mark(crossed).outcomes).map(({ message: one }) => one?.id)).toEqual([1, 2]);
  });

  it.each<[string, FakeAnswer, (number | undefined)[]]>([
    ['a missing ID', json(vendorType, array([message('1')])), [200, undefined]],
    ['an empty array', json(vendorType, []), [undefined, undefined]],
    ['foreign ids', json(vendorType, array([message('8'), message('9')])), [undefined, undefined]],
    ['a single object', json('application/json', message('1').body), [undefined, undefined]],
    ['no body', { status: 200 }, [undefined, undefined]],
    ['204 to a PUT', { status: 204 }, [undefined, undefined]],
    [
      'a login page',
      { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('<html>') },
      [undefined, undefined],
    ],
    [
      'an id that is answered twice alike',
      json(vendorType, array([message('1'), message('1')])),
      [200, undefined],
    ],
    [
      'an id that is answered twice, each time otherwise',
      json(vendorType, array([message('1'), missing('1')])),
      [undefined, undefined],
    ],
    [
      'an error body with a status that says success',
      json(vendorType, [
        { resourceId: '1', status: 200, body: { errorCode: 'CMN-101', message: 'no' } },
        { resourceId: '2', status: 200, body: { id: 2, readStatus: 'Read', errorCode: 'CMN-101' } },
      ]),
      [undefined, undefined],
    ],
    [
      'an error body with a status that says success, in parts',
      multipart(
        multipartText([message('1'), message('2')], [missing('1').body, { id: 2, errorCode: 'CMN-101' }]),
      ),
      [undefined, undefined],
    ],
    [
      'the record of another id',
      json(vendorType, [
        { resourceId: '1', status: 200, body: { id: 9 } },
        { resourceId: '2', status: 200, body: { id: '1' } },
      ]),
      [undefined, undefined],
    ],
    [
      'the record of another id, in parts',
      multipart(multipartText([message('1'), message('2')], [{ id: 9 }, { id: 8 }])),
      [undefined, undefined],
    ],
    ['an item without a status', json(vendorType, [{ resourceId: '1', body: {} }]), [undefined, undefined]],
    ['invalid items', json(vendorType, [null, 7, 'x', { status: 200 }]), [undefined, undefined]],
    [
      'a status that is a text',
      json(vendorType, [{ resourceId: '1', status: '200', body: {} }]),
      [undefined, undefined],
    ],
    [
      'a multipart reply cut off in its head',
      multipart(whole([message('1'), message('2')]).slice(0, 120)),
      [undefined, undefined],
    ],
    [
      'a multipart reply without a boundary',
      raw('multipart/mixed', whole([message('1')])),
      [undefined, undefined],
    ],
    [
      'a multipart reply without a head',
      multipart(multipartText([], [message('1').body, message('2').body])),
      [undefined, undefined],
    ],
  ])('leaves the outcome unknown for %s', async (_, answer, expected) => {
    expect((await mark(answer).outcomes).map(({ status }) => status)).toEqual(expected);
  });

  it('that is truncated leaves the outcome unknown for each part that is missing or incomplete', async () => {
    const text = whole([message('1'), message('2'), missing('3')]);
    const ids = ['1', '2', '3'];
    expect(await statuses(multipart(text.slice(0, text.indexOf('"readStatus"'))), ids)).toEqual([
      ['1', undefined],
      ['2', undefined],
      ['3', 404],
    ]);
    expect(await statuses(multipart(text.slice(0, text.lastIndexOf('"readStatus"'))), ids)).toEqual([
      ['1', 200],
      ['2', undefined],
      ['3', 404],
    ]);
  });

  it.each([200, 201, 202, 204, 206])(
    'does not prove the status %i of an item without a record',
    async (status) => {
      const answer = json(vendorType, [
        { resourceId: '1', status, body: status === 204 ? null : undefined },
        { resourceId: '2', status: 404, body: {} },
      ]);
      expect(await statuses(answer)).toEqual([
        ['1', undefined],
        ['2', 404],
      ]);
    },
  );

  it.each([
    ['the status 202', json(vendorType, array(entries), 202)],
    ['a type that is not JSON', json('text/html', array(entries))],
  ])('with %s proves no change', async (_, answer) => {
    expect(await statuses(answer)).toEqual([
      ['1', undefined],
      ['2', undefined],
    ]);
  });

  it('keeps ids that exceed the precision of numbers', async () => {
    const id = '8031152018338945839';
    const text = JSON.stringify([{ resourceId: 1, status: 200, body: { id: 1 } }])
      .replaceAll('1,', `${id},`)
      .replace('"id":1', `"id":${id}`);
    const outcomes = await mark(raw(vendorType, text), [id, '2']).outcomes;
    expect(outcomes[0]).toMatchObject({ id, status: 200, message: { id } });
  });

  it('that rejects the whole request is an error', async () => {
    const error = { status: 404, body: { errorCode: 'AGW-404', message: 'Resource not found' } };
    await expect(mark(error).outcomes).rejects.toMatchObject({ name: 'ApiError', status: 404 });
  });
});

describe('a request for several ids', () => {
  it('has a body for each id of the path, in their order', async () => {
    const { asked, outcomes } = mark(json(vendorType, []), ['1', '2', '1']);
    await outcomes;
    expect(
      asked.map(({ url, headers, body }) => [
        url.pathname.split('/').at(-1),
        headers['content-type'],
        JSON.parse(String(body)),
      ]),
    ).toEqual([['1,2', vendorType, [{ body: { readStatus: 'Read' } }, { body: { readStatus: 'Read' } }]]]);
  });

  it('names more than 50 ids in the body, 1000 at a time', async () => {
    const ids = Array.from({ length: 1060 }, (_, index) => String(index + 1));
    const { asked, outcomes } = mark(json(vendorType, []), ids);
    expect((await outcomes).every(({ status }) => status === undefined)).toBe(true);
    const sent = asked.map(({ url, body }) => ({
      path: url.pathname.split('/').at(-1),
      items: JSON.parse(String(body)) as { readonly resourceId: string; readonly body: object }[],
    }));
    expect(sent.map(({ path, items }) => [path, items.length])).toEqual([
      ['*', 1000],
      ['*', 60],
    ]);
    expect(sent[0]?.items[0]).toEqual({ resourceId: '1', body: { readStatus: 'Read' } });
  });

  it.each(['update', 'patch', 'delete'] as const)('to %s is sent without iterating', async (method) => {
    const { http, asked } = fakeService([{ status: 207, body: { records: [] } }]);
    const { messages } = buildClient({ ...plainSettings, http });
    const change = { readStatus: 'Read' as const };
    const outcomes = await (method === 'delete'
      ? messages.delete(['1', '2'])
      : messages[method](['1', '2'], change));
    expect(outcomes.map(({ id }) => id)).toEqual(['1', '2']);
    expect(asked).toHaveLength(1);
  });

  it('to delete succeeds after 204, otherwise as the reply says', async () => {
    const remove = (answer: FakeAnswer) =>
      all(
        buildClient({ ...plainSettings, http: fakeService([answer]).http }).messages.deleteEach(['1', '2']),
      );
    expect((await remove({ status: 204 })).map(({ status }) => status)).toEqual([204, 204]);
    const some = await remove(multipart(whole([{ id: '1', status: 204, body: {} }, missing('2')])));
    expect(some.map(({ status }) => status)).toEqual([204, 404]);
    expect((await remove({ status: 200 })).map(({ status }) => status)).toEqual([undefined, undefined]);
  });

  it('spec:BATCH-7 to read is an error if no id can be read, and unknown for an id without an answer', async () => {
    const read = (answer: FakeAnswer) =>
      all(buildClient({ ...plainSettings, http: fakeService([answer]).http }).messages.getMany(['1', '2']));
    await expect(read({ status: 200, body: { id: 1 } })).rejects.toMatchObject({ name: 'ReplyError' });
    const text = whole([message('1'), message('2')]);
    const found = await read(multipart(text.slice(0, text.lastIndexOf('--Boundary_1\r\n'))));
    expect(found.map(({ status, message: one }) => [status, one?.id])).toEqual([
      [200, 1],
      [undefined, undefined],
    ]);
  });
});

describe('records of calls', () => {
  const record = (id: string) => ({ id, status: 200, body: { id, sessionId: 's' } });
  const get = (answer: FakeAnswer) =>
    buildClient({ ...plainSettings, http: fakeService([answer]).http }).callLog.get('account', ['a1', 'b2']);

  it('are read from either form; their ids are opaque', async () => {
    for (const answer of [
      multipart(whole([record('b2'), record('a1')])),
      json(vendorType, array([record('b2'), record('a1')])),
    ])
      expect((await get(answer)).map((one) => one?.id)).toEqual(['a1', 'b2']);
  });

  it('that do not exist are undefined; another rejection and a missing answer are errors', async () => {
    const gone = (status: number) => ({ id: 'b2', status, body: { errorCode: 'X', message: 'no' } });
    expect(await get(json(vendorType, array([record('a1'), gone(404)])))).toMatchObject([
      { id: 'a1' },
      undefined,
    ]);
    await expect(get(json(vendorType, array([record('a1'), gone(403)])))).rejects.toMatchObject({
      name: 'ApiError',
      status: 403,
    });
    await expect(get(json(vendorType, array([record('a1')])))).rejects.toMatchObject({ name: 'ReplyError' });
    await expect(get({ status: 200, body: { id: 'a1' } })).rejects.toMatchObject({ name: 'ReplyError' });
  });
});

describe('presence of several extensions', () => {
  it.each(['spec', 'current'] as const)('is read in one request, dialect %s', async (dialect) => {
    await using sandbox = await startSandbox({ listen: false, dialect });
    const { token } = await userClient(sandbox, '102');
    let requests = 0;
    const { presence } = buildClient({
      ...plainSettings,
      baseUrl: new URL(sandbox.url),
      tokens: { current: () => Promise.resolve(token), renew: () => Promise.reject(new Error('unexpected')) },
      http: (request) => {
        requests += 1;
        return sandboxHttp(sandbox)(request);
      },
    });
    const found = [];
    for await (const one of presence.getMany([171857102, 171857103, 999])) found.push(one);
    expect(found).toMatchObject([
      { id: '171857102', status: 200, presence: { extension: { extensionNumber: '102' } } },
      { id: '171857103', status: 200, presence: { extension: { extensionNumber: '103' } } },
      { id: '999', status: 404, presence: undefined },
    ]);
    expect(requests).toBe(1);
  });
});
