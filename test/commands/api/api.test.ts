import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nestFields, typedValue } from '../../../src/commands/api/fields.ts';
import { readTarget } from '../../../src/commands/api/target.ts';
import { apiCommand } from '../../../src/commands/api/api.command.ts';
import type { HttpSend } from '../../../src/client/index.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { openOffice as open } from '../office.ts';

const nouns = [{ name: 'api', summary: '', section: 'Account and setup' as const, commands: [apiCommand] }];

async function openOffice(who?: string, around?: (send: HttpSend) => HttpSend) {
  const office = await open(who, around);
  office.requests();
  return {
    ...office,
    run: (argv: string | readonly string[], options = {}) => office.run(argv, { nouns, ...options }),
  };
}

describe('api', () => {
  const failing = (code: string) => (): never => {
    throw Object.assign(new Error(code), { code, syscall: 'write' });
  };

  it('reads no further pages when the reader of stdout has exited', async () => {
    let pages = 0;
    const smallPages = (send: HttpSend): HttpSend => {
      return (request) => {
        const url = new URL(request.url);
        if (url.searchParams.has('page')) pages += 1;
        url.searchParams.set('perPage', '1');
        return send({ ...request, url });
      };
    };
    const { run } = await openOffice(undefined, smallPages);
    const { exit, stderr } = await run('api account/~/extension --paginate -o ndjson', {
      onStdout: failing('EPIPE'),
    });
    expect([exit, stderr]).toEqual([0, '']);
    // The next page is requested while the first one is written.
    expect(pages).toBeLessThanOrEqual(2);
  });

  it('reports an unknown outcome for a result that cannot be written only after a change', async () => {
    const { run } = await openOffice();
    const path = 'account/~/extension/~/presence';
    const onStdout = failing('ENOSPC');
    const read = await run(['api', path], { onStdout });
    expect([read.exit, read.stderr]).toEqual([12, expect.stringContaining('the disk is full')]);
    expect(read.stderr).not.toContain('changes');
    const change = await run(['api', 'PUT', path, '-f', 'dndStatus=DoNotAcceptAnyCalls', '--yes'], {
      onStdout,
    });
    expect([change.exit, change.stderr]).toEqual([14, expect.stringContaining('may have made some or all')]);
  });

  it('reads a path, absolute or below the version, as JSON also in a pipe', async () => {
    const { run, sandbox } = await openOffice();
    for (const path of [
      'account/~/extension/~/presence',
      '/restapi/v1.0/account/{accountId}/extension/{extensionId}/presence',
      `${sandbox.url}/restapi/v1.0/account/~/extension/~/presence`,
    ]) {
      const { exit, stdout } = await run(['api', path]);
      expect([exit, JSON.parse(stdout)]).toMatchObject([0, { dndStatus: 'TakeAllCalls' }]);
    }
  });

  it('shows the records of a page as rows, and reports further pages', async () => {
    const { run } = await openOffice();
    const path = 'api account/~/extension?perPage=2 --fields extensionNumber,name';
    const csv = await run(`${path} -o csv`);
    expect(csv.stdout).toBe('extensionNumber,name\r\n100,Avery Quinn\r\n101,Reception\r\n');
    expect(csv.stderr).toContain('Use --paginate to fetch all pages');
    const whole = await run('api account/~/extension?perPage=100 --fields extensionNumber -o tsv');
    expect([whole.stderr, whole.stdout.slice(0, 8)]).toEqual(['', '100\n101\n']);
    const json = await run('api account/~/extension?perPage=2');
    expect(JSON.parse(json.stdout)).toMatchObject({ paging: { perPage: 2 } });
  });

  it('adds fields of a GET to the query, and builds a body for other methods', async () => {
    const { run, requests } = await openOffice();
    const list = await run(
      'api GET account/~/extension -f type=Department -F perPage=2 --jq .records[].type',
    );
    expect(list.stdout).toBe('Department\nDepartment\n');
    const put = await run(
      'api PUT account/~/extension/~/presence -f message=away -F ringOnMonitoredCall=true',
    );
    expect(JSON.parse(put.stdout)).toMatchObject({ message: 'away', ringOnMonitoredCall: true });
    expect(requests()).toContain('PUT /account/~/extension/~/presence');
  });

  it('creates an empty list from a field without a value, like other tools', async () => {
    const { run } = await openOffice();
    const { stdout } = await run([
      'api',
      'PUT',
      'x',
      '-n',
      '-f',
      'none[]',
      '-F',
      'a[b][]',
      '-F',
      'one[]',
      '-f',
      'one[]=1',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ body: { none: [], a: { b: [] }, one: ['1'] } });
    expect(
      (await run(['api', 'GET', 'account/~/extension', '-f', 'type[]', '--jq', '.records | length'])).exit,
    ).toBe(0);
    expect((await run(['api', 'PUT', 'x', '-n', '-f', 'none'])).exit).toBe(2);
  });

  it('shows under --dry-run the requested headers, with secrets masked', async () => {
    const { run } = await openOffice();
    const words = [
      'api',
      'PUT',
      'x',
      '-n',
      '-f',
      'a=1',
      '-H',
      'X-Trace: 7',
      '-H',
      'X-Api-Key: canary-9',
      '-H',
      'Content-Type: text/json',
    ];
    const { stdout } = await run(words);
    const headers = { 'x-trace': '7', 'x-api-key': '***', 'content-type': 'text/json' };
    expect(JSON.parse(stdout)).toMatchObject({ headers, body: { a: '1' } });
    expect((await run([...words, '-o', 'table'])).stdout).toMatch(
      /^PUT \S+\nx-trace: 7\nx-api-key: \*\*\*\ncontent-type: text\/json\n\n\{/,
    );
    expect(JSON.parse((await run(['api', 'PUT', 'x', '-n', '-f', 'a=1'])).stdout)).not.toHaveProperty(
      'headers',
    );
  });

  it('accepts the method as -X too, like other tools', async () => {
    const { run, requests } = await openOffice();
    const path = 'account/~/extension/~/presence';
    const put = await run(`api -X put ${path} -f message=away`);
    expect(JSON.parse(put.stdout)).toMatchObject({ message: 'away' });
    const get = await run(
      `api ${path.replace('/~/presence', '')} --method GET -f type=Department --jq .records[0].type`,
    );
    expect(get.stdout).toBe('Department\n');
    const both = await run(`api PUT ${path} -X PUT -f message=back`);
    expect(JSON.parse(both.stdout)).toMatchObject({ message: 'back' });
    expect(requests()).toEqual([
      `PUT /${path}`,
      expect.stringContaining('GET /account/~/extension'),
      `PUT /${path}`,
    ]);
  });

  it.each([
    ['api PUT account/~ -X DELETE', 'the methods PUT and -X DELETE conflict', 'remove one of them'],
    [
      'api -X FETCH account/~',
      '--method: "FETCH" is not a valid value',
      'one of: GET, POST, PUT, PATCH, DELETE',
    ],
    ['api -X POST', 'invalid arguments: specify [METHOD] PATH', ''],
    [
      'api -X POST account/~/extension -f type=User --paginate',
      '--paginate can be used only with the GET method',
      '',
    ],
  ])('%s is rejected before anything is sent', async (line, said, hint) => {
    const { run, requests } = await openOffice();
    const { exit, stderr } = await run(line);
    expect([exit, stderr, requests()]).toEqual([2, expect.stringContaining(said), []]);
    expect(stderr).toContain(hint);
    // The method was named: nothing was guessed that a hint would have to explain.
    expect(stderr).not.toContain('add GET');
  });

  it('asks before it sends a message, however the method is given', async () => {
    const { run, requests } = await openOffice();
    const { exit, stderr } = await run('api -X POST account/~/extension/~/sms -f text=x');
    expect([exit, stderr, requests()]).toEqual([9, expect.stringContaining('Send this text?'), []]);
  });

  it('reads all pages into one array', async () => {
    const { run } = await openOffice();
    const { stdout } = await run('api account/~/extension --paginate');
    const all = JSON.parse(stdout) as unknown[];
    expect(all.length).toBeGreaterThan(5);
    const lines = await run('api account/~/extension --paginate -o ndjson');
    expect(lines.stdout.trim().split('\n')).toHaveLength(all.length);
  });

  it('reads all pages with the page size of the request', async () => {
    const sizes: (string | null)[] = [];
    const { run } = await openOffice('administrator', (send) => (request) => {
      sizes.push(request.url.searchParams.get('perPage'));
      return send(request);
    });
    const { stdout } = await run('api account/~/extension?perPage=4 --paginate --jq length');
    const pages = Math.ceil(Number(stdout) / 4);
    expect(pages).toBeGreaterThan(1);
    expect(sizes).toEqual(Array.from({ length: pages }, () => '4'));
    await run('api GET account/~/extension -F perPage=5000 --paginate');
    expect(sizes.at(-1)).toBe('1000');
  });

  it.each(['0', '-1', 'x', ''])('rejects --paginate with the page size "%s"', async (size) => {
    const { run, requests } = await openOffice();
    const { exit, stderr } = await run(`api account/~/extension?perPage=${size} --paginate`);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('is not a valid page size')]);
    expect(requests()).toEqual([]);
  });

  it('says how to name another mailbox for a missing message', async () => {
    const { run } = await openOffice();
    const { exit, stderr } = await run('api DELETE account/~/extension/~/message-store/999');
    expect([exit, stderr]).toEqual([
      3,
      expect.stringContaining('in the path of ucctl api, replace extension/~'),
    ]);
  });

  it('shows status and headers under --include', async () => {
    const { run } = await openOffice();
    const { stdout } = await run('api account/~/extension/~/presence -i');
    expect(stdout).toMatch(/^HTTP\/1\.1 200\n/);
    expect(stdout).toContain('content-type: application/json');
  });

  it('shows status, headers and body of a rejection under --include, with the same exit code', async () => {
    const { run } = await openOffice();
    const { exit, stdout, stderr } = await run('api account/~/extension/1 -i');
    expect(exit).toBe(3);
    expect(stdout).toMatch(/^HTTP\/1\.1 404\n[\s\S]*content-type: application\/json[\s\S]*\n\n\{"errorCode"/);
    expect(stderr).toContain('not_found');
  });

  it('rejects --include with --paginate, and explains how to add fields to the query', async () => {
    const { run, requests } = await openOffice();
    expect((await run('api account/~/extension -i --paginate')).exit).toBe(2);
    const guessed = await run('api account/~/extension -F perPage=2 --paginate');
    expect([guessed.exit, guessed.stderr]).toEqual([2, expect.stringContaining('add GET')]);
    expect(requests()).toEqual([]);
  });

  it.each([
    ['https://elsewhere.example/restapi/v1.0/account/~'],
    ['//elsewhere.example/x'],
    ['/restapi/../control'],
    ['/restapi/%2e%2e/control'],
    ['account/~\\..\\x'],
    ['http://127.0.0.1@elsewhere.example/restapi'],
    ['account/~/extension?_method=DELETE'],
    ['account/~/extension?access_token=x'],
    ['account/{other}'],
  ])('rejects %s before anything is sent', async (path) => {
    const { run, requests } = await openOffice();
    expect((await run(['api', path])).exit).toBe(2);
    expect(requests()).toEqual([]);
  });

  it.each(['X-HTTP-Method-Override: DELETE', 'Authorization: Bearer x', 'Host: elsewhere', 'no colon'])(
    'rejects the header %s',
    async (header) => {
      const { run, requests } = await openOffice();
      expect((await run(['api', 'account/~/extension', '-H', header])).exit).toBe(2);
      expect(requests()).toEqual([]);
    },
  );

  it.each(['', '/', '?purge=true', '?type=All', '/*'])(
    'spec:CLIENT-21 does not delete a whole mailbox (message-store%s) by accident',
    async (end) => {
      const { run, requests } = await openOffice();
      const path = `account/~/extension/~/message-store${end}`;
      expect((await run(['api', 'DELETE', path, '--yes'])).exit).toBe(9);
      expect((await run(['api', 'DELETE', path, '--whole-mailbox'])).exit).toBe(9);
      expect(requests()).toEqual([]);
      expect((await run(['api', 'DELETE', path, '--whole-mailbox', '--yes', '-n'])).exit).toBe(0);
    },
  );

  it('shows under --dry-run a body from a file or standard input as it is, with every secret in it hidden', async () => {
    const { run } = await openOffice();
    const body =
      '{"text":"hi","id":123456789012345678901,"password":482913,"secrets":["canary-1"],"none":{"token":null}}';
    const { stdout } = await run('api POST account/~/x --input - -n', { stdin: body });
    expect(stdout).toContain('"id": 123456789012345678901,');
    expect(JSON.parse(stdout)).toMatchObject({
      body: { text: 'hi', password: '***', secrets: ['***'], none: { token: null } },
    });
    const file = join(temporaryFolder(), 'body.json');
    await writeFile(file, body);
    expect((await run(['api', 'POST', 'account/~/x', '--input', file, '-n'])).stdout).toBe(stdout);
    const list = await run('api POST account/~/x --input - -n', { stdin: '[{"password":"canary-2"}]' });
    expect(JSON.parse(list.stdout)).toMatchObject({ body: [{ password: '***' }] });
  });

  it.each(['application/x-www-form-urlencoded', 'Application/x-www-form-urlencoded; charset=UTF-8'])(
    'hides under --dry-run the secrets of a form of type %s',
    async (type) => {
      const { run } = await openOffice();
      const file = join(temporaryFolder(), 'form.txt');
      await writeFile(file, 'grant_type=password&password=canary-3');
      const words = [
        'api',
        'POST',
        '/restapi/oauth/token',
        '--input',
        file,
        '-H',
        `content-type: ${type}`,
        '-n',
      ];
      const { stdout } = await run(words);
      expect(JSON.parse(stdout)).toMatchObject({ body: { grant_type: 'password', password: '***' } });
    },
  );

  it('accepts an absolute path without its first /', async () => {
    const { run } = await openOffice();
    const { stdout } = await run('api POST restapi/v1.0/account/~/x -n');
    expect(JSON.parse(stdout)).toMatchObject({
      url: expect.stringMatching(/\d\/restapi\/v1\.0\/account\/~\/x$/),
    });
  });

  it.each([
    [['-H', 'X-Name: \u2713', 'account/~/extension/~'], 'does not allow in a header'],
    [['-H', 'X-Name: a\tb\x7f', 'account/~/extension/~'], 'does not allow in a header'],
    [['GET'], 'the path is missing'],
    [['delete'], 'the path is missing'],
  ])('rejects %j as bad usage, and sends nothing', async (words, message) => {
    const { run, requests } = await openOffice();
    const { exit, stderr } = await run(['api', ...words]);
    expect(exit).toBe(2);
    expect(stderr).toContain(message);
    expect(requests()).toEqual([]);
  });

  it('asks before it sends a text, and sends nothing under --dry-run', async () => {
    const { run, sandbox } = await openOffice();
    const words = [
      'api',
      'POST',
      'account/~/extension/~/sms',
      '-f',
      'from[phoneNumber]=+16505550110',
      '-f',
      'to[][phoneNumber]=+16505550112',
      '-f',
      'text=hello',
    ];
    expect((await run(words)).exit).toBe(9);
    const dry = await run([...words, '-n']);
    expect(JSON.parse(dry.stdout)).toMatchObject({
      method: 'POST',
      body: { from: { phoneNumber: '+16505550110' }, to: [{ phoneNumber: '+16505550112' }], text: 'hello' },
    });
    expect(sandbox.messages()).toEqual([]);
    expect((await run([...words, '--yes'])).exit).toBe(0);
    expect(sandbox.messages()).toHaveLength(2);
  });

  it('sends standard input as it is', async () => {
    const { run } = await openOffice();
    const { stdout } = await run('api PUT account/~/extension/~/presence --input -', {
      stdin: '{"message":"from a pipe"}',
    });
    expect(JSON.parse(stdout)).toMatchObject({ message: 'from a pipe' });
  });

  it('sends bytes that are not text as they are, from standard input and from a file', async () => {
    const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff, 0xfe]);
    const file = join(temporaryFolder(), 'picture.png');
    await writeFile(file, bytes);
    const sent: unknown[] = [];
    const { run } = await openOffice(undefined, (send) => (request) => {
      if (request.url.pathname.endsWith('/picture')) sent.push(request.body);
      return send(request);
    });
    for (const input of ['-', file])
      await run(['api', 'PUT', 'account/~/picture', '-H', 'content-type:image/png', '--input', input], {
        stdin: bytes,
      });
    const hex = (body: unknown): string => Buffer.from(body as Uint8Array).toString('hex');
    expect(sent.map(hex)).toEqual([hex(bytes), hex(bytes)]);
  });

  it('masks the secrets of a body that an error repeats, from standard input and from a file', async () => {
    const body = '{"password":"canary-of-a-body"}';
    const file = join(temporaryFolder(), 'body.json');
    await writeFile(file, body);
    const { run } = await openOffice(
      undefined,
      (send) => (request) =>
        request.url.pathname.endsWith('/echo')
          ? Promise.resolve(fakeReply({ status: 400, body: { message: `bad: ${String(request.body)}` } }))
          : send(request),
    );
    for (const input of ['-', file]) {
      const { exit, stderr } = await run(['api', 'PUT', 'account/~/echo', '--input', input], { stdin: body });
      expect(exit).toBe(1);
      expect(stderr).not.toContain('canary-of-a-body');
    }
  });

  it('reports the error of the service', async () => {
    const { run } = await openOffice();
    expect((await run('api account/~/extension/1')).exit).toBe(3);
  });
});

it('converts fields to JSON types, and keeps other values as text', () => {
  expect(
    ['true', 'null', '12', '-3', '1.5', '007', '+1555', '8031152018338945839', 'x'].map(typedValue),
  ).toEqual([true, null, 12, -3, 1.5, '007', '+1555', 8_031_152_018_338_945_839n, 'x']);
});

it('nests fields', () => {
  const nested = nestFields([
    ['to[][phoneNumber]', '1'],
    ['to[][name]', 'a'],
    ['to[][phoneNumber]', '2'],
    ['ids[]', 1],
    ['ids[]', 2],
    ['a[b][c]', true],
  ]);
  expect(JSON.parse(JSON.stringify(nested))).toEqual({
    to: [{ phoneNumber: '1', name: 'a' }, { phoneNumber: '2' }],
    ids: [1, 2],
    a: { b: { c: true } },
  });
});

it.each([
  ['a', 'a[b]'],
  ['a[b]', 'a'],
  ['a', 'a'],
  ['a[b]', 'a[b]'],
  ['ids[]', 'ids'],
])('rejects the field %s with %s: one of them would be lost', (first, second) => {
  const both = [first, second].map((key) => [key, 1] as const);
  expect(() => nestFields(both)).toThrow(`field "${second}" conflicts with an earlier field`);
});

it('sends query parameters whose names are members of every JavaScript object', async () => {
  const { run } = await openOffice();
  const query = 'constructor=1&constructor=2&__proto__=3&toString=4';
  const words = ['api', 'PUT', `account/~/x?${query}`, '--input', '-', '-f', 'valueOf=5', '-n'];
  const { stdout } = await run(words, { stdin: '{}' });
  const { url } = JSON.parse(stdout) as { readonly url: string };
  expect(url.replace(/^[^?]*[?]/, '')).toBe(`${query}&valueOf=5`);
});

it('keeps the path of the base URL', () => {
  const base = new URL('https://service.example/gateway');
  const target = readTarget(['https://service.example/gateway/restapi/v1.0/x?a=1&a=2'], false, base);
  expect(target).toEqual({ method: 'GET', path: '/restapi/v1.0/x', query: { a: ['1', '2'] } });
  expect(() => readTarget(['https://service.example/restapi/v1.0/x'], false, base)).toThrow(
    'is not an address below the base URL',
  );
});
