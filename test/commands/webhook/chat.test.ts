import { gzipSync } from 'node:zlib';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConnectionError, type HttpSend } from '../../../src/client/index.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice, type Office } from '../office.ts';

interface Outcome {
  readonly state: string;
}

interface Webhook {
  readonly id: string;
  readonly uri: string;
  readonly status: string;
}

async function made(around?: (send: HttpSend) => HttpSend) {
  const office = await openOffice('administrator', around);
  const options = { paths: temporaryPaths(), env: { UCCTL_STORE: 'file' } };
  const run: Office['run'] = (argv, more) => office.run(argv, { ...options, ...more });
  const { stdout } = await run('webhook create --group 3301 -o json');
  const webhook = JSON.parse(stdout) as Webhook;
  const open = JSON.parse((await run('webhook list --show-secrets -o json')).stdout) as Webhook[];
  return { office, run, webhook, address: open[0]?.uri ?? '' };
}

const contents = (office: Office): unknown[] =>
  office.sandbox.posts().map(({ content }) => JSON.parse(content) as unknown);

describe('chat webhooks', () => {
  it('are created, listed, suspended, activated and deleted; their addresses are masked', async () => {
    const { run, webhook, address } = await made();
    expect(webhook).toMatchObject({ uri: '********', status: 'Active', groupIds: ['3301'] });
    expect(address).toMatch(/\/webhook\/v2\//);
    const status = async () =>
      (JSON.parse((await run('webhook list --group 3301 -o json')).stdout) as Webhook[])[0]?.status;
    expect((await run(`webhook suspend ${webhook.id}`)).exit).toBe(0);
    expect(await status()).toBe('Suspended');
    expect((await run(`webhook activate ${webhook.id}`)).exit).toBe(0);
    expect(await status()).toBe('Active');
    expect((await run(`webhook delete ${webhook.id} nothing --yes -o json`)).exit).toBe(8);
    expect(await status()).toBeUndefined();
    expect((await run(`webhook suspend ${webhook.id}`)).exit).toBe(3);
  });

  it.each(['spec', 'current'] as const)('are named by their ID in errors, dialect %s', async (dialect) => {
    const office = await openOffice('administrator', undefined, ':memory:', { dialect });
    const [one, two] = ['0f8fad5b-d9cb-469f-a165-70867728950e', '7c9e6679-7425-40de-944b-e07fc1f90ae7'];
    const env = { UCCTL_DIALECT: dialect };
    const { stderr } = await office.run(`webhook delete ${one} --yes`, { env });
    expect(stderr).toContain(`chat webhook "${one}" not found`);
    const both = await office.run(`webhook suspend ${one} ${two} -o json`, { env });
    for (const id of [one, two]) expect(both.stderr).toContain(id);
    expect(both.stderr).not.toContain('***');
  });

  /** Replies to a change of the status, and the exit code if reading back shows that it was made, or not. */
  const replies = [
    [200, undefined, 0, 1],
    [200, { id: 'ID' }, 0, 1],
    [200, { id: 'ID', status: 'WANTED' }, 0, 1],
    [200, { id: 'ID', status: 'OTHER' }, 0, 14],
    [200, {}, 0, 14],
    [202, undefined, 0, 14],
    [200, { login: 'https://wifi.example' }, 0, 14],
    [503, {}, 0, 14],
    [403, {}, 1, 1],
  ] as const;
  const words = { activate: ['Active', 'Suspended'], suspend: ['Suspended', 'Active'] } as const;
  const verbs = ['activate', 'suspend'] as const;

  it.each(replies)('are read back after HTTP %i %j', async (status, body, exitIfMade, exitIfNot) => {
    const cases = verbs.flatMap((verb) => [
      { verb, isMade: true },
      { verb, isMade: false },
    ]);
    for (const { verb, isMade } of cases) {
      let isAnswered = false;
      const [wanted, other] = words[verb];
      const { run, webhook } = await made((send) => async (request) => {
        if (!isAnswered || !request.url.pathname.endsWith(`/${verb}`)) return send(request);
        if (isMade) await (await send(request)).discard();
        if (body === undefined) return fakeReply({ status });
        const text = JSON.stringify(body)
          .replace('ID', webhook.id)
          .replace('WANTED', wanted)
          .replace('OTHER', other);
        return fakeReply({ status, body: JSON.parse(text) as unknown });
      });
      if (verb === 'activate') await run(`webhook suspend ${webhook.id}`);
      isAnswered = true;
      const { exit, stdout } = await run(`webhook ${verb} ${webhook.id} --retry 0`);
      const wantedExit = isMade ? exitIfMade : exitIfNot;
      expect([verb, isMade, exit, stdout === '']).toEqual([verb, isMade, wantedExit, exit !== 0]);
    }
  });

  it.each([
    [404, {}],
    [200, { records: [{ id: 'w1' }] }],
    [200, { login: 'https://wifi.example' }],
  ])('suspend is unknown if the webhook is read back as %i %j', async (status, body) => {
    const office = await openOffice('administrator', (send) => (request) => {
      if (request.url.pathname.endsWith('/suspend')) return Promise.resolve(fakeReply({ status: 200 }));
      const isRead = request.url.pathname.endsWith('/webhooks/w1');
      return isRead ? Promise.resolve(fakeReply({ status, body })) : send(request);
    });
    for (const ids of ['w1', 'w1 w1', 'w1 w2']) {
      const { exit, stdout } = await office.run(`webhook suspend ${ids}`);
      expect([ids, exit, stdout]).toEqual([ids, 14, '']);
    }
  });

  it('names the list of webhooks if no reply shows whether a webhook was created', async () => {
    let isSecond = false;
    const { run } = await made((send) => (request) => {
      const isCreation = request.method === 'POST' && request.url.pathname.endsWith('/webhooks');
      return isCreation && isSecond ? Promise.resolve(fakeReply({ status: 200, body: {} })) : send(request);
    });
    isSecond = true;
    const { exit, stderr } = await run('webhook create --group 3301');
    expect([exit, stderr]).toEqual([14, expect.stringContaining('ucctl webhook list --group 3301')]);
    expect(stderr).not.toContain('outcome list');
  });

  it('spec:CLIENT-2 is found and not created twice if the response is lost', async () => {
    const { office, webhook } = await made((send) => async (request) => {
      const reply = await send(request);
      if (request.method === 'POST' && request.url.pathname.endsWith('/webhooks')) {
        throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
      }
      return reply;
    });
    expect(webhook.id).toMatch(/^[0-9a-f-]{36}$/);
    const all = JSON.parse((await office.run('webhook list -o json')).stdout) as unknown[];
    expect(all).toHaveLength(1);
  });
});

describe('webhook post', () => {
  it.each([
    [200, { login: 'https://wifi.example' }, 14, 'unknown'],
    [200, {}, 14, 'unknown'],
    [200, undefined, 14, 'unknown'],
    [204, undefined, 14, 'unknown'],
    [200, { status: 'error', message: 'Webhook not found' }, 14, 'unknown'],
    [200, { status: 'OK', error: { code: 'failed' } }, 14, 'unknown'],
    [200, { id: 0 }, 14, 'unknown'],
    [202, 'queued', 14, 'unknown'],
    [202, undefined, 14, 'unknown'],
    [200, { errorCode: 'CMN-101', id: 'request' }, 14, 'unknown'],
    [408, {}, 14, 'unknown'],
    [499, {}, 14, 'unknown'],
    [501, {}, 14, 'unknown'],
    [403, {}, 1, 'failed'],
    [200, { status: 'OK' }, 0, 'sent'],
    [200, { id: '5' }, 0, 'sent'],
  ])('exits according to the response %i %j', async (status, body, exit, state) => {
    const { run, webhook } = await made((send) => (request) => {
      const isPost = request.url.pathname.includes('/webhook/');
      return isPost ? Promise.resolve(fakeReply({ status, body })) : send(request);
    });
    expect((await run(`webhook post ${webhook.id} hello`)).exit).toBe(exit);
    const outcomes = JSON.parse((await run('outcome list -o json')).stdout) as Outcome[];
    expect(outcomes.map((one) => one.state)).toEqual([state]);
  });

  it('spec:CLIENT-13 posts by id, with the address from the token store, without a token', async () => {
    const seen: (string | undefined)[] = [];
    const { office, run, webhook } = await made((send) => (request) => {
      if (request.url.pathname.startsWith('/webhook/')) seen.push(request.headers['authorization']);
      return send(request);
    });
    office.requests();
    const { stdout, stderr, exit } = await run([
      'webhook',
      'post',
      webhook.id,
      '--title',
      'Shift',
      '--body',
      'Begun',
    ]);
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout).toContain('posted');
    expect(contents(office)).toEqual([{ title: 'Shift', body: 'Begun' }]);
    expect(seen).toEqual([undefined]);
    expect(office.requests()).toHaveLength(1);
  });

  it('spec:CLIENT-29 has a flag for every field of a card', async () => {
    const { office, run, webhook } = await made();
    const flags =
      '--card-color #2ea043 --pretext P --author-name A --author-link https://a.example --author-icon https://a.example/i --card-title T --title-link https://t.example --field Size=12GB --field +Took=4m --text X --image-url https://i.example --footer F --footer-icon https://f.example --ts 1767603600 --icon https://x.example';
    expect((await run(`webhook post ${webhook.id} ${flags}`)).exit).toBe(0);
    expect(contents(office)).toEqual([
      {
        icon: 'https://x.example',
        attachments: [
          {
            type: 'Card',
            color: '#2ea043',
            pretext: 'P',
            author_name: 'A',
            author_link: 'https://a.example',
            author_icon: 'https://a.example/i',
            title: 'T',
            title_link: 'https://t.example',
            fields: [
              { title: 'Size', value: '12GB' },
              { title: 'Took', value: '4m', short: true },
            ],
            text: 'X',
            image_url: 'https://i.example',
            footer: 'F',
            footer_icon: 'https://f.example',
            ts: 1_767_603_600,
          },
        ],
      },
    ]);
  });

  it('reads a post or a card from JSON or YAML, and does not check other attachments', async () => {
    const { office, run, webhook } = await made();
    const folder = temporaryFolder();
    const files = {
      'card.yaml': 'type: Card\ntitle: From YAML\n',
      'bare.yaml': 'title: Bare\ncolor: "#2ea043"\n',
      'post.json': '{"title":"From JSON","attachments":[{"type":"Event","anything":{"at":1}}]}',
    };
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(folder, name), text);
      expect((await run(`webhook post ${webhook.id} -f ${join(folder, name)} --body more`)).exit).toBe(0);
    }
    expect(contents(office)).toEqual([
      { attachments: [{ type: 'Card', title: 'From YAML' }], body: 'more' },
      { attachments: [{ type: 'Card', title: 'Bare', color: '#2ea043' }], body: 'more' },
      { ...(JSON.parse(files['post.json']) as object), body: 'more' },
    ]);
  });

  it('reads the body, or the address and the body, from standard input', async () => {
    const { office, run, webhook, address } = await made();
    await run(`webhook post ${webhook.id} --body -`, { stdin: 'load\nhigh\n' });
    await run('webhook post - --title T', { stdin: `${address}\n` });
    await run(`webhook post ${webhook.id} -`, { stdin: 'positional' });
    await run(['webhook', 'post', webhook.id, 'The shift']);
    expect((await run(`webhook post ${webhook.id} one --body two`)).exit).toBe(2);
    await run('webhook post - --body -', { stdin: `${address}\nline 1\nline 2\n` });
    await run('webhook post - --body -', { stdin: `${address}\r\nline 1\r\nline 2\r\n` });
    await run(`webhook post ${webhook.id} --body -`, { stdin: 'load\r\nhigh\r\n' });
    await run(['webhook', 'post', webhook.id, 'an\r\nargument']);
    expect(contents(office)).toEqual([
      { body: 'load\nhigh' },
      { title: 'T' },
      { body: 'positional' },
      { body: 'The shift' },
      { body: 'line 1\nline 2' },
      { body: 'line 1\nline 2' },
      { body: 'load\nhigh' },
      { body: 'an\nargument' },
    ]);
  });

  it.each(['', '\n'])('names standard input if the post from it is the empty text %j', async (stdin) => {
    const { office, run, webhook } = await made();
    const { exit, stderr } = await run(`webhook post ${webhook.id} -f -`, { stdin });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('standard input is empty')]);
    const list = await run(`webhook post ${webhook.id} -f -`, { stdin: '[]' });
    expect([list.exit, list.stderr]).toEqual([2, expect.stringContaining('standard input is not an object')]);
    expect(contents(office)).toEqual([]);
  });

  it.each(['- -f -', 'ID -f - --body -', '- -f - --body -'])(
    'rejects two uses of standard input: %s',
    async (given) => {
      const { office, run, webhook, address } = await made();
      const argv = `webhook post ${given.replace('ID', webhook.id)}`;
      const { exit, stderr } = await run(argv, { stdin: `${address}\n{"title":"t"}\n` });
      expect(exit).toBe(2);
      expect(stderr).toContain('--file cannot read standard input, which contains the ');
      expect(stderr).not.toContain(address);
      expect(contents(office)).toEqual([]);
    },
  );

  it.each([
    ['[1', 'is not valid JSON or YAML', 'must end with a ] at line 1, column 3'],
    ['{"attachments":{}}', 'attachments is not a list', 'nothing was posted'],
    ['attachments: null', 'attachments is not a list', 'nothing was posted'],
    ['title: one\n---\ntitle: two\n', 'more than one document', 'put only one post or card in the file'],
  ])('says of %j that it is %s', async (content, words, more) => {
    const { office, run, webhook } = await made();
    const { exit, stderr } = await run(`webhook post ${webhook.id} -f - --card-title T`, { stdin: content });
    expect(exit).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr).toContain(more);
    expect(stderr).not.toMatch(/parseAllDocuments|column 1:/);
    expect(contents(office)).toEqual([]);
  });

  it('does not accept an address as an argument, and never shows one', async () => {
    const { office, run, address } = await made();
    const argument = await run(['webhook', 'post', address, '--body', 'x']);
    expect(argument.exit).toBe(2);
    expect(argument.stderr).not.toContain(address);
    const wrong = await run('webhook post - --body x', { stdin: 'ftp://secret.example/key\n' });
    expect(wrong.exit).toBe(2);
    expect(wrong.stderr).not.toContain('secret');
    expect(contents(office)).toEqual([]);
  });

  it.each([
    ['', 'the post is empty'],
    [`--title ${'x'.repeat(301)}`, 'title: 301 bytes'],
    ['--card-color blue', 'is not a valid hex color'],
    ['--field nothing', 'is not a valid field'],
  ])('does not send %.20s', async (flags, words) => {
    const { office, run, webhook } = await made();
    const { exit, stderr } = await run(`webhook post ${webhook.id} ${flags}`);
    expect(exit).toBe(2);
    expect(stderr).toContain(words);
    expect(contents(office)).toEqual([]);
  });

  it.each([
    [['ID', '--body', '-'], ''],
    [['ID', '-'], ''],
    [['ID', '-'], '\n\r\n\n'],
    [['ID', '-'], ' \t\n'],
    [['-', '--body', '-'], 'ADDRESS\n\n'],
    // The command that should write the body may have failed.
    [['ID', '--title', 'Shift', '--body', '-'], ''],
    [['ID', '-f', '-'], '{"body":" "}'],
    [['ID', '-f', '-'], '{"attachments":[{"type":"Card"}]}'],
    [['ID', '-f', '-'], '{"attachments":[{"type":"Card","text":"","fields":[]}]}'],
    [['ID', '   '], ''],
    [['ID', '--title', ' '], ''],
    [['ID', '--text', ' ', '--card-color', '#2ea043'], ''],
  ])('does not post an empty message: %j with %j', async (words, input) => {
    const { office, run, webhook, address } = await made();
    const argv = ['webhook', 'post', ...words.map((word) => word.replace(/^ID$/, webhook.id))];
    const { exit, stdout, stderr } = await run(argv, { stdin: input.replace('ADDRESS', address) });
    expect([exit, stdout, contents(office)]).toEqual([2, '', []]);
    expect(stderr).toContain('empty');
  });

  it('sends nothing under --dry-run', async () => {
    const { office, run, webhook } = await made();
    const { stdout } = await run(`webhook post ${webhook.id} --body x --dry-run -o json`);
    expect(JSON.parse(stdout)).toMatchObject({ method: 'POST', body: { body: 'x' } });
    expect(contents(office)).toEqual([]);
  });

  it('shows the request with a masked address under --dry-run', async () => {
    const { run, webhook, address } = await made();
    const { exit, stdout } = await run(`webhook post ${webhook.id} --body x --dry-run -o table`);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^POST https?:\/\/[^/]+\/\*\*\*/);
    expect(stdout).toContain('"body": "x"');
    expect(stdout).not.toContain(new URL(address).pathname);
    expect(JSON.parse((await run('outcome list -o json')).stdout)).toEqual([]);
  });

  it('reads a compressed reply, also from a service that was not asked to compress it', async () => {
    const { run, webhook } = await made((send) => async (request) => {
      const reply = await send(request);
      if (!request.url.pathname.startsWith('/webhook/')) return reply;
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      return fakeReply({ status: 200, body: gzipSync('{"status":"OK"}'), headers });
    });
    expect(await run(`webhook post ${webhook.id} --body x -q`)).toMatchObject({ exit: 0, stderr: '' });
  });

  it('issue:4.4 records each post before it is sent, and its outcome', async () => {
    const state = { during: '' };
    const { run, webhook } = await made((send) => async (request) => {
      const { pathname, origin } = request.url;
      if (!pathname.startsWith('/webhook/')) return send(request);
      state.during = (await run('outcome list -o json')).stdout;
      const { body } = JSON.parse(String(request.body)) as { readonly body: string };
      if (body === 'unsent') throw new ConnectionError('ECONNREFUSED', 'no', origin, undefined);
      const reply = await send(request);
      if (body === 'lost') throw new ConnectionError('ECONNRESET', 'unknown', origin, undefined);
      return body === 'moved' ? { ...reply, status: 302 } : reply;
    });
    const states = (text: string): unknown => (JSON.parse(text) as Outcome[]).map(({ state: one }) => one);
    expect((await run(`webhook post ${webhook.id} --body lost`)).exit).toBe(14);
    expect(states(state.during)).toEqual(['sending']);
    expect((await run(`webhook post ${webhook.id} --body moved`)).exit).toBe(14);
    expect((await run(`webhook post ${webhook.id} --body unsent`)).exit).toBe(7);
    expect((await run(`webhook post ${webhook.id} --body arrived`)).exit).toBe(0);
    await run(`webhook suspend ${webhook.id}`);
    expect((await run(`webhook post ${webhook.id} --body refused`)).exit).toBe(1);
    const listed = (await run('outcome list -o json')).stdout;
    expect(states(listed)).toEqual(['failed', 'sent', 'failed', 'unknown', 'unknown']);
    expect((JSON.parse(listed) as Outcome[])[0]).toMatchObject({ kind: 'chat-post', to: '' });
    const { exit, stdout } = await run('outcome resolve --all -o json');
    expect(exit).toBe(14);
    expect(stdout).toContain('check the chat group');
  });

  it('spec:CLIENT-9 has an unknown outcome without a response, and is not retried', async () => {
    const state = { times: 0 };
    const { run, webhook } = await made((send) => async (request) => {
      const reply = await send(request);
      if (!request.url.pathname.startsWith('/webhook/')) return reply;
      state.times += 1;
      throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
    });
    const { exit, stderr } = await run(`webhook post ${webhook.id} --body x`);
    expect(exit).toBe(14);
    expect(stderr).toContain('the service may have posted the message');
    expect(state.times).toBe(1);
  });

  it('suggests activate for a suspended webhook', async () => {
    const { run, webhook } = await made();
    await run(`webhook suspend ${webhook.id}`);
    const { exit, stderr } = await run(`webhook post ${webhook.id} --body x`);
    expect(exit).toBe(1);
    expect(stderr).toContain('ucctl webhook activate');
  });
});
