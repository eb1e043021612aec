import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../src/client/index.ts';
import type { CallLogRecord } from '../../../src/contract/call-log.ts';
import { tryLock } from '../../../src/platform/process-lock.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { workbookOf } from '../../support/workbook.ts';
import { openOffice, sharedOffice, type Office } from '../office.ts';

const now = Date.UTC(2026, 0, 5, 9);
const center = sharedOffice({ fixture: 'call-center' });

interface Row {
  readonly kind: string;
  readonly id: string;
  readonly status: string;
  readonly file?: string;
  readonly bytes?: number;
  readonly sha256?: string;
  readonly problem?: string;
}
const rowsOf = (text: string): readonly Row[] => JSON.parse(text) as Row[];

/** Ids of recordings of the fixture. */
async function recordings({ run }: Office, count: number): Promise<readonly string[]> {
  const { stdout } = await run('calllog list --since 30d --recording-type All -L 40 -o json', { now });
  const ids = (JSON.parse(stdout) as CallLogRecord[]).map(({ recording }) => recording?.id ?? '');
  return [...new Set(ids)].slice(0, count);
}

describe('download', () => {
  it('reports that it waits for another download into the same folder', async () => {
    const { run, sandbox } = await openOffice('102');
    await sandbox.control('POST', '/triggers/voicemail', { to: '102', seconds: 3 });
    const dir = temporaryFolder();
    const paths = temporaryPaths();
    const name = createHash('sha256').update(dir).digest('hex').slice(0, 16);
    const file = join(paths.state, 'downloads', `${name}.lock`);
    mkdirSync(join(paths.state, 'downloads'), { recursive: true, mode: 0o700 });
    const other = tryLock(file);
    writeFileSync(`${file}.holder`, JSON.stringify({ pid: process.pid, since: '2026-01-05T09:00:00.000Z' }));
    const { exit, stderr } = await run(`download --voicemail --since 365d --dir ${dir}`, {
      paths,
      onStderr: () => other?.close(),
    });
    expect([exit, stderr]).toEqual([
      0,
      `another download is using ${dir} (process ${process.pid}, since 2026-01-05T09:00:00.000Z); waiting until it ends\n`,
    ]);
  });

  it('records the checksums of complete files if the rows cannot be written', async () => {
    const { run, sandbox } = await openOffice('102');
    await sandbox.control('POST', '/triggers/voicemail', { to: '102', seconds: 3 });
    const dir = temporaryFolder();
    const { exit } = await run(`download --voicemail --since 365d --dir ${dir} -o ndjson`, {
      onStdout: () => {
        throw Object.assign(new Error('ENOSPC: no space left on device'), {
          code: 'ENOSPC',
          syscall: 'write',
        });
      },
    });
    const files = readdirSync(dir);
    const sums = readFileSync(join(dir, 'SHA256SUMS'), 'utf8');
    expect([exit, files.filter((file) => sums.includes(file))]).toEqual([
      12,
      files.filter((file) => file.endsWith('.wav')),
    ]);
    expect(files.length).toBeGreaterThan(1);
  });

  it('rejects a checksum file that is a device or pipe without reading it', async () => {
    const { run } = await openOffice('102');
    const { exit, stderr } = await run(
      `download --voicemail --dir ${temporaryFolder()} --manifest /dev/full`,
    );
    expect([exit, stderr]).toEqual([
      12,
      'error: cannot read /dev/full: the path is a pipe or device, not a file\n  try:     choose another file with --manifest\n',
    ]);
  });

  it('reads the list from a sheet of a workbook', async () => {
    const office = await center();
    const [id = ''] = await recordings(office, 1);
    const dir = temporaryFolder();
    const file = join(dir, 'list.xlsx');
    const sheets = [
      { name: 'People', rows: [['name'], ['Dana Okafor']] },
      { name: 'Calls', rows: [['recording'], [id]] },
    ];
    writeFileSync(file, await workbookOf(sheets));
    const { stdout } = await office.run(`download --file ${file} --sheet Calls --dir ${dir} -o json`);
    expect(rowsOf(stdout)).toMatchObject([{ kind: 'recording', id, status: 'downloaded' }]);
    const first = await office.run(`download --file ${file} --dir ${dir} --dry-run`);
    expect(first.exit).toBe(2);
    expect(first.stderr).toContain('ucctl reads the sheet "People"');
  });

  it('saves recordings by id, and says what it did', async () => {
    const office = await center();
    const [id] = await recordings(office, 1);
    const dir = temporaryFolder();
    const { stdout, exit, stderr } = await office.run(`download --recording ${id} --dir ${dir} -o json`);
    expect([exit, stderr]).toEqual([0, '']);
    const [row] = rowsOf(stdout);
    expect(row).toMatchObject({
      kind: 'recording',
      id,
      status: 'downloaded',
      file: join(dir, `recording-${id}.wav`),
    });
    const content = readFileSync(row?.file ?? '');
    expect(content.subarray(0, 4).toString()).toBe('RIFF');
    expect(content).toHaveLength(row?.bytes ?? 0);
  });

  it('spec:CLIENT-25 saves greetings and profile images by their address', async () => {
    const { run, sandbox } = await openOffice();
    const dir = temporaryFolder();
    const own = `${sandbox.url}/restapi/v1.0/account/~/extension/171857102`;
    const image = await run(`download --uri ${own}/profile-image/content/171857102 --dir ${dir}`);
    expect(image.exit).toBe(0);
    const greeting = await run(
      `download --uri ${own}/greeting/171857102/content/171857102 --dir ${dir} --clobber`,
    );
    expect(greeting.exit).toBe(0);
    expect(readdirSync(dir).toSorted()).toEqual(['content-171857102.png', 'content-171857102.wav']);
  });

  it('gives every address the same name in each run, also if several end in the same word', async () => {
    const { run } = await openOffice(undefined, () => ({ url }) => {
      const headers: Readonly<Record<string, string>> = { 'content-type': 'image/png' };
      return Promise.resolve({
        status: 200,
        header: (name) => headers[name],
        text: () => Promise.resolve(url.pathname),
        bytes: async function* bytes() {
          yield Buffer.from(url.pathname);
        },
        discard: () => Promise.resolve(),
      });
    });
    const dir = temporaryFolder();
    const paths = [101, 102].map((id) => `/restapi/v1.0/account/~/extension/${id}/profile-image`);
    for (const order of [paths, paths.toReversed(), paths.slice(1)]) {
      const uris = order.map((path) => `--uri ${path}`).join(' ');
      const { exit, stdout } = await run(`download ${uris} --dir ${dir} --continue -o json`);
      expect(exit).toBe(0);
      const contents = rowsOf(stdout).map(({ file }) => readFileSync(file ?? '', 'utf8'));
      expect(contents.toSorted()).toEqual(order.toSorted());
    }
    expect(readdirSync(dir)).toHaveLength(2);
  });

  it('spec:MEDIA-3 continues what a server answers in parts without being asked', async () => {
    const office = await openOffice(undefined, undefined, undefined, {
      fixture: 'call-center',
      settings: { mediaPartBytes: 50_000 },
    });
    const [id] = await recordings(office, 1);
    const dir = temporaryFolder();
    const { stdout } = await office.run(`download --recording ${id} --dir ${dir} --manifest sums -o json`, {
      cwd: dir,
    });
    const [row] = rowsOf(stdout);
    const content = readFileSync(row?.file ?? '');
    expect(content.readUInt32LE(4) + 8).toBe(content.length);
    const sum = createHash('sha256').update(content).digest('hex');
    expect(row?.sha256).toBe(sum);
    expect(readFileSync(join(dir, 'sums'), 'utf8')).toBe(`${sum}  recording-${id}.wav\n`);
  });

  it('downloads the recordings of a time range, each once, with checksums; a second run skips them', async () => {
    const { run, requests } = await center();
    const dir = temporaryFolder();
    const line = `download --recordings --since 2026-01-04T17:00 --dir ${dir} -o json`;
    const { stdout, exit } = await run(line, { now });
    expect(exit).toBe(0);
    const rows = rowsOf(stdout);
    expect(rows.length).toBeGreaterThan(3);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    const manifest = readFileSync(join(dir, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
    expect(manifest).toHaveLength(rows.length);
    for (const text of manifest) {
      const [sum = '', name = ''] = text.split('  ');
      expect(
        createHash('sha256')
          .update(readFileSync(join(dir, name)))
          .digest('hex'),
      ).toBe(sum);
    }
    requests();
    const again = await run(`${line} --continue`, { now });
    expect(rowsOf(again.stdout).every(({ status }) => status === 'exists')).toBe(true);
    expect(requests().filter((text) => text.includes('/content'))).toEqual([]);
    // A run that was killed wrote no manifest: what it left gets its checksums from the next.
    rmSync(join(dir, 'SHA256SUMS'));
    await run(`${line} --continue`, { now });
    expect(readFileSync(join(dir, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')).toEqual(manifest);
    const second = await run(line, { now });
    expect(second.exit).toBe(11);
    expect(second.stderr).toContain('exists');
  });

  it('names files by the time in the zone of --tz', async () => {
    const { run, sandbox } = await openOffice('102');
    await sandbox.control('POST', '/triggers/voicemail', { to: '102', seconds: 3 });
    const listed = await run('voicemail list --tz Pacific/Kiritimati --fields creationTime --limit 1 -o tsv');
    const dir = temporaryFolder();
    const template = ['--name-template', '{date}T{time}'];
    const line = `download --voicemail --tz Pacific/Kiritimati --dir ${dir} -o json`;
    const first = rowsOf((await run([...line.split(' '), ...template])).stdout);
    const time = listed.stdout.slice(0, 19).replaceAll(':', '');
    expect(first.map(({ file }) => basename(file ?? ''))).toContainEqual(expect.stringContaining(time));
    const second = rowsOf((await run([...line.split(' '), ...template, '--skip-existing'])).stdout);
    expect(new Set(second.map(({ status }) => status))).toEqual(new Set(['exists']));
  });

  it('never takes a newer file for an existing one, if the name template has no ID', async () => {
    const { run, sandbox } = await openOffice('102');
    const dir = temporaryFolder();
    const line = `download --voicemail --since 365d --dir ${dir} -o json --skip-existing`;
    const template = ['--name-template', '{kind}'];
    const ids = async (status: string): Promise<readonly string[]> => {
      const { stdout } = await run([...line.split(' '), ...template]);
      return rowsOf(stdout).flatMap((row) => (row.status === status ? [row.id] : []));
    };
    const addVoicemail = () => sandbox.control('POST', '/triggers/voicemail', { to: '102', seconds: 3 });
    await addVoicemail();
    const before = await ids('downloaded');
    await addVoicemail();
    const added = await ids('downloaded');
    expect(before).not.toEqual([]);
    expect(added).toHaveLength(1);
    expect(before).not.toContain(added[0]);
    expect((await ids('exists')).toSorted()).toEqual([...before, ...added].toSorted());
  });

  it('uses relative paths in a manifest in another folder, and overwrites no other file', async () => {
    const office = await center();
    const [id] = await recordings(office, 1);
    const above = temporaryFolder();
    const [dir, link] = [join(above, 'sounds'), join(above, 'link')];
    mkdirSync(dir);
    symlinkSync(dir, link);
    const line = `download --recording ${id} --dir ${link} --clobber`;
    expect((await office.run(`${line} --manifest ${join(above, 'sums')}`)).exit).toBe(0);
    expect(readFileSync(join(above, 'sums'), 'utf8')).toMatch(
      /^[0-9a-f]{64} {2}sounds\/recording-\d+\.wav\n$/,
    );
    writeFileSync(join(above, 'notes.txt'), 'my notes\n');
    office.requests();
    const { exit, stderr } = await office.run(`${line} --manifest ${join(above, 'notes.txt')}`);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('is not a valid checksum list')]);
    expect(readFileSync(join(above, 'notes.txt'), 'utf8')).toBe('my notes\n');
    expect(office.requests()).toEqual([]);
  });

  it('saves voicemail and faxes of the mailbox, and the attachments of a message', async () => {
    const { run, sandbox } = await openOffice('102');
    await sandbox.control('POST', '/triggers/voicemail', { to: '102', seconds: 3 });
    await sandbox.control('POST', '/triggers/fax', { to: '102' });
    const dir = temporaryFolder();
    const bulk = await run(`download --voicemail --fax --since 365d --dir ${dir} -o json`, { now });
    expect(bulk.exit).toBe(0);
    const rows = rowsOf(bulk.stdout);
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['voicemail', 'fax']));
    const names = readdirSync(dir).filter((name) => name !== 'SHA256SUMS');
    expect(names.every((name) => /^(voicemail|fax)-[\d-]+\.(wav|pdf|tiff|txt)$/.test(name))).toBe(true);
    const one = await run(`download ${rows[0]?.id} --dir ${join(dir, 'one')} -o json`);
    expect(rowsOf(one.stdout)[0]).toMatchObject({ status: 'downloaded', bytes: rows[0]?.bytes });
  });

  it('accepts a list, such as the output of calllog list', async () => {
    const office = await center();
    const csv = await office.run('calllog list --since 30d --recording-type All -L 5 -o csv', { now });
    const dir = temporaryFolder();
    const { exit, stdout } = await office.run(
      `download -f - --dir ${dir} -o json --name-template '{kind} {id}' --clobber`,
      {
        stdin: csv.stdout,
      },
    );
    expect(exit).toBe(0);
    // Everyone who took part in a call has a record of it: the recording comes once.
    const [head = '', ...lines] = csv.stdout.trimEnd().split('\r\n');
    const at = head.split(',').indexOf('recording') - head.split(',').length;
    const listed = lines.map((text) => text.split(',').at(at) ?? '');
    expect(
      rowsOf(stdout)
        .map((row) => row.id)
        .toSorted(),
    ).toEqual([...new Set(listed)].toSorted());
    expect(listed.length).toBeGreaterThan(rowsOf(stdout).length);
    const bad = await office.run('download -f -', { stdin: 'name\nx\n' });
    expect([bad.exit, bad.stderr.includes('add a uri, recording or message column')]).toEqual([2, true]);
  });

  it('writes the rows of named files in the requested order', async () => {
    const office = await center();
    const ids = await recordings(office, 4);
    const dir = temporaryFolder();
    const words = `download ${ids.map((id) => `--recording ${id}`).join(' ')} --dir ${dir} -o json`;
    const first = rowsOf((await office.run(words)).stdout);
    expect(first.map(({ id }) => id)).toEqual(ids);
    rmSync(first[0]?.file ?? '');
    const second = rowsOf((await office.run(`${words} --skip-existing`)).stdout);
    expect(second.map(({ id, status }) => [id, status])).toEqual(
      ids.map((id, index) => [id, index === 0 ? 'downloaded' : 'exists']),
    );
  });

  it('accepts the output of message list, voicemail list, fax list and of a query', async () => {
    const { run, sandbox } = await openOffice('102');
    await sandbox.control('POST', '/triggers/voicemail', { to: '102', seconds: 3 });
    await sandbox.control('POST', '/triggers/fax', { to: '102' });
    const save = async (list: string | readonly string[]): Promise<readonly Row[]> => {
      const { stdout, stderr } = await run([
        ...(typeof list === 'string' ? list.split(' ') : list),
        '-o',
        'csv',
      ]);
      expect(stderr).not.toContain('error');
      const saved = await run(`download -f - --dir ${temporaryFolder()} -o json`, { stdin: stdout });
      expect([saved.exit, saved.stderr]).toEqual([0, expect.not.stringContaining('error')]);
      return rowsOf(saved.stdout);
    };
    expect((await save('voicemail list -L 1')).map(({ kind }) => kind)).toContain('voicemail');
    expect((await save('fax list -L 1')).map(({ kind }) => kind)).toContain('fax');
    expect((await save('message list --type VoiceMail -L 1')).map(({ kind }) => kind)).toContain('voicemail');
    const database = join(temporaryFolder(), 'copy.db');
    expect((await run(`sync --since 2025-01-01 --database ${database}`)).exit).toBe(0);
    const query = `select id message_id from v_message where attachments > 0 limit 1`;
    expect(await save(['sync', 'sql', query, '--database', database])).not.toEqual([]);
  });

  it('reports a single failure unchanged, and several as partial', async () => {
    const office = await center();
    const [id] = await recordings(office, 1);
    const dir = temporaryFolder();
    const one = await office.run(
      `download --uri ${office.sandbox.url}/restapi/v1.0/account/~/recording/1/content/1 --dir ${dir}`,
    );
    expect(one.exit).toBe(3);
    const uri = `${office.sandbox.url}/restapi/v1.0/account/~/recording/1/content/1`;
    const both = await office.run(`download --uri ${uri} --recording ${id} --dir ${dir} -o json`);
    expect(both.exit).toBe(8);
    expect(
      rowsOf(both.stdout)
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual(['downloaded', 'failed']);
  });

  it('fails like a single file if all files failed in the same way', async () => {
    const office = await center();
    const [id] = await recordings(office, 1);
    const dir = temporaryFolder();
    const uris = Array.from(
      { length: 12 },
      (_, index) => `--uri ${office.sandbox.url}/restapi/v1.0/account/~/recording/1/content/${index + 1}`,
    );
    const missing = await office.run(`download ${uris.join(' ')} --dir ${dir} -o json`);
    expect(missing.exit).toBe(3);
    expect(JSON.parse(missing.stderr)).toMatchObject({
      error: { code: 'not_found', message: '12 of 12 files failed', exit: 3 },
    });
    expect(missing.stderr).toContain('and 2 more');
    expect(rowsOf(missing.stdout)).toHaveLength(12);
    await office.run(`download --recording ${id} --dir ${dir}`);
    const mixed = await office.run(`download --recording ${id} ${uris[0]} --dir ${dir} -o json`);
    expect(mixed.exit).toBe(1);
    expect(JSON.parse(mixed.stderr)).toMatchObject({ error: { code: 'failed', exit: 1 } });
  });

  it('says how to resume if all files failed and a part of one is stored', async () => {
    let asked = 0;
    const office = await openOffice(undefined, () => () => {
      const headers: Readonly<Record<string, string>> = { 'content-type': 'image/png', etag: '"1"' };
      asked += 1;
      const isEmpty = asked === 1;
      return Promise.resolve({
        status: 200,
        header: (name) => headers[name],
        text: () => Promise.resolve(''),
        bytes: async function* bytes() {
          if (!isEmpty) yield Buffer.from('part');
          throw await Promise.resolve(new ConnectionError('ECONNRESET', 'unknown', 'https://x', undefined));
        },
        discard: () => Promise.resolve(),
      });
    });
    const uris = [101, 102].map((id) => `--uri /restapi/v1.0/account/~/extension/${id}/profile-image`);
    const { exit, stderr } = await office.run(
      `download ${uris.join(' ')} --concurrency 1 --retry 0 --dir ${temporaryFolder()}`,
    );
    expect([exit, stderr]).not.toEqual([0, '']);
    expect(stderr).toContain('run the same command with --continue');
  });

  it('says that a missing message may be in another mailbox', async () => {
    const { run } = await openOffice();
    const missing = await run(`download 999999999 --dir ${temporaryFolder()}`);
    expect([missing.exit, missing.stderr]).toEqual([
      3,
      expect.stringContaining('if the message is in another mailbox, add --extension EXT'),
    ]);
    const other = await run(`download 999999999 --extension 102 --dir ${temporaryFolder()}`);
    expect([other.exit, other.stderr]).toEqual([3, expect.not.stringContaining('--extension')]);
  });

  it('explains to a user who is not an administrator how to get their own recordings', async () => {
    const { run } = await openOffice('102');
    const { exit, stderr } = await run('download --recordings --since 7d', { cwd: temporaryFolder() });
    expect(exit).toBe(5);
    expect(stderr).toContain('ucctl download --recordings --extension ~');
  });

  it('sends the token to its own service only', async () => {
    const tokens: (string | undefined)[] = [];
    const { run } = await openOffice(undefined, (send) => (request) => {
      if (request.url.hostname !== 'elsewhere.example') return send(request);
      tokens.push(request.headers['authorization']);
      return Promise.resolve({
        status: 401,
        header: () => undefined,
        text: () => Promise.resolve(''),
        bytes: async function* none() {
          yield new Uint8Array();
        },
        discard: () => Promise.resolve(),
      });
    });
    const { exit, stderr } = await run('download --uri https://elsewhere.example/content/1', {
      cwd: temporaryFolder(),
    });
    expect(tokens).toEqual([undefined]);
    expect(exit).toBe(1);
    expect(stderr).toContain('media-hosts');
    tokens.length = 0;
    const many = [1, 2, 3, 4].map((id) => `--uri https://elsewhere.example/content/${id}`).join(' ');
    const several = await run(`download ${many} --concurrency 1`, { cwd: temporaryFolder() });
    expect([several.exit, tokens]).toEqual([1, [undefined]]);
    expect(several.stderr).toContain('ucctl config set media-hosts elsewhere.example');
  });

  it('ends when the sign-in is over: no other file would come', async () => {
    const center = await openOffice(undefined, (send) => async (request) => {
      const isContent = request.url.pathname.includes('/content/');
      const other = { ...request, headers: { ...request.headers, authorization: 'Bearer none' } };
      return send(isContent ? other : request);
    });
    const own = `${center.sandbox.url}/restapi/v1.0/account/~/extension/171857102/profile-image/content`;
    const many = [1, 2, 3, 4].map((id) => `--uri ${own}/${id}`).join(' ');
    center.requests();
    const { exit, stdout } = await center.run(`download ${many} --concurrency 1`, { cwd: temporaryFolder() });
    expect([exit, stdout.trimEnd().split('\n').length]).toEqual([4, 1]);
    expect(center.requests().filter((text) => text.includes('/content/')).length).toBeLessThan(3);
  });

  it('follows a redirect of a content address to another host without the token (D11)', async () => {
    const office = await center();
    const [id] = await recordings(office, 1);
    const asked: [string, string | undefined][] = [];
    const { run } = await openOffice(
      undefined,
      (send) => async (request) => {
        const isContent = request.url.pathname.includes('/content/');
        const isElsewhere = request.url.hostname === 'elsewhere.example';
        if (!isContent && !isElsewhere) return send(request);
        asked.push([request.url.href, request.headers['authorization']?.slice(0, 7)]);
        const headers: Readonly<Record<string, string>> = isElsewhere
          ? { 'content-type': 'audio/x-wav', 'content-length': '48' }
          : { location: 'https://elsewhere.example/signed.wav?key=1' };
        const sound = Buffer.alloc(48, 'RIFF....WAVE');
        return {
          status: isElsewhere ? 200 : 302,
          header: (name) => headers[name],
          text: () => Promise.resolve(''),
          bytes: async function* bytes() {
            if (isElsewhere) yield sound;
          },
          discard: () => Promise.resolve(),
        };
      },
      undefined,
      { fixture: 'call-center' },
    );
    const dir = temporaryFolder();
    const { exit, stderr } = await run(`download --recording ${id} --dir ${dir}`);
    expect([exit, stderr]).toEqual([0, '']);
    expect(asked).toEqual([
      [expect.stringContaining('/content/'), 'Bearer '],
      ['https://elsewhere.example/signed.wav?key=1', undefined],
    ]);
    expect(
      readFileSync(join(dir, `recording-${id}.wav`))
        .subarray(0, 4)
        .toString(),
    ).toBe('RIFF');
  });

  it('makes a second run into the same folder wait (D12), so that no file is damaged', async () => {
    const office = await center();
    const [id] = await recordings(office, 1);
    const dir = temporaryFolder();
    const state = temporaryFolder();
    const paths = { config: state, state, cache: state, data: state };
    const runs = await Promise.all(
      [1, 2, 3].map(() =>
        office.run(`download --recording ${id} --dir ${dir} --skip-existing -o json`, { paths }),
      ),
    );
    expect(runs.map(({ exit }) => exit)).toEqual([0, 0, 0]);
    expect(runs.map(({ stdout }) => String(rowsOf(stdout)[0]?.status)).toSorted()).toEqual([
      'downloaded',
      'exists',
      'exists',
    ]);
    expect(readdirSync(dir)).toEqual([`recording-${id}.wav`]);
  });

  it.each([
    ['error: no such list\n', 2, 'stdin has no column with items to download'],
    ['id,from\n', 2, 'found: id, from'],
    // The output of other commands without results.
    ['id,uri,from\n', 0, ''],
    ['id,Recordings\n', 0, ''],
    ['id,messageStatus\n', 0, ''],
  ])('reads from a list without rows whether it can name items: %j', async (stdin, exit, text) => {
    const { run, requests } = await openOffice();
    const result = await run('download --file -', { stdin });
    expect([result.exit, result.stdout]).toEqual([exit, '']);
    expect(result.stderr).toContain(text);
    expect(requests()).toEqual([]);
  });

  it.each([
    ['', 'no items to download'],
    ['1 --name-template {subject}', '--name-template: {subject} is not a valid field'],
    ['1 --clobber --continue', 'cannot be used together'],
    ['--recordings --since never', '--since: "never" is not a valid time'],
  ])('rejects "%s" before it sends a request', async (flags, message) => {
    const { run, requests } = await openOffice();
    const { exit, stderr } = await run(`download ${flags}`);
    expect([exit, stderr.includes(message)]).toEqual([2, true]);
    expect(requests()).toEqual([]);
  });
});
