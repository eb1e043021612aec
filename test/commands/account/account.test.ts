import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { type Desk, openDesk } from '../../matrix/desk.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

async function open(): Promise<Desk> {
  return openDesk({ sandbox: { dialect: 'current' } });
}

type Row = Readonly<Record<string, unknown>>;

async function differences(desk: Desk): Promise<readonly Row[]> {
  return desk.json('account diff company');
}

/** Changes a file of the folder. */
function edit(desk: Desk, file: string, change: (text: string) => string): void {
  const path = join(desk.cwd, 'company', file);
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
}

const folderNames = ['account.yaml', 'hours.yaml', 'people.yaml', 'queues.yaml', 'rules.yaml'];
const planned = [
  ['queues', 'queue'],
  ['people', 'agent'],
  ['hours', 'hours'],
  ['rules', 'rule'],
] as const;

test('an exported account has no differences, and its files are plans without changes', async () => {
  await using desk = await open();
  desk.writes();
  expect(await desk.json('account export company --personal')).toMatchObject([
    { file: 'company/queues.yaml', items: 3, plan: 'ucctl queue plan -f company/queues.yaml' },
    { file: 'company/people.yaml', plan: 'ucctl agent plan -f company/people.yaml' },
    { file: 'company/hours.yaml', plan: 'ucctl hours plan -f company/hours.yaml' },
    { file: 'company/rules.yaml', plan: 'ucctl rule plan -f company/rules.yaml' },
  ]);
  expect(readdirSync(join(desk.cwd, 'company')).sort()).toEqual(folderNames);
  expect(await desk.run('account diff company --detailed-exitcode -o json')).toMatchObject({
    exit: 0,
    stdout: '[]\n',
  });
  for (const [file, noun] of planned)
    expect(await desk.run(`${noun} plan -f company/${file}.yaml --detailed-exitcode`)).toMatchObject({
      exit: 0,
    });
  expect(desk.writes()).toEqual([]);
});

test('edits of each file are differences, which the plan commands apply', async () => {
  await using desk = await open();
  await desk.json('account export company');
  edit(desk, 'queues.yaml', (text) => text.replace('alertTimer: 30', 'alertTimer: 45'));
  edit(desk, 'people.yaml', (text) =>
    text.replace(/(firstName: Dana[^-]*?)department: null/, '$1department: Night'),
  );
  edit(desk, 'hours.yaml', (text) => text.replace('saturday: closed', 'saturday: 10:00-14:00'));
  edit(desk, 'rules.yaml', (text) => text.replace('enabled: true', 'enabled: false'));
  const found = await desk.run('account diff company --detailed-exitcode -o json');
  expect(found.exit).toBe(10);
  expect(JSON.parse(found.stdout)).toMatchObject([
    { file: 'queues.yaml', title: 'Support (201)', name: 'alertTimer', inFolder: 45, inAccount: 30 },
    { file: 'people.yaml', kind: 'setting', name: 'department', inFolder: 'Night', inAccount: null },
    { file: 'hours.yaml', name: 'saturday', inFolder: '10:00-14:00', inAccount: 'closed' },
    { file: 'rules.yaml', name: 'enabled', inFolder: false, inAccount: true },
  ]);
  for (const [file, noun] of planned) {
    expect(found.stderr).toContain(`start with ucctl ${noun} plan -f company/${file}.yaml`);
    expect(await desk.run(`${noun} apply -f company/${file}.yaml --yes`)).toMatchObject({ exit: 0 });
  }
  expect(await differences(desk)).toEqual([]);
});

test('shows what somebody else has changed, and what only one side has', async () => {
  await using desk = await open();
  await desk.json('account export company');
  await desk.run('queue assign --queue 201 --add 107 --remove 102 --yes');
  writeFileSync(
    join(desk.cwd, 'new.yaml'),
    'queues:\n  - queue: Night\n    create: true\n    settings: { name: Night, number: "290" }\n',
  );
  await desk.json('queue apply -f new.yaml --yes');
  edit(desk, 'people.yaml', (text) => `${text}  - agent: "9990001"\n    firstName: Nobody\n`);
  edit(desk, 'rules.yaml', (text) => `${text}  - extension: "171857201"\n    name: Holiday\n`);
  const rows = await differences(desk);
  expect(rows).toMatchObject([
    { kind: 'agent', title: 'Support (201)', name: 'Dana Okafor (102)', inFolder: true, inAccount: false },
    { kind: 'agent', name: 'Priya Nair (107)', inFolder: false, inAccount: true },
    { file: 'queues.yaml', kind: 'missing', name: 'Night (290)', inFolder: false, inAccount: true },
    { file: 'people.yaml', kind: 'missing', id: '9990001', inFolder: true, inAccount: false },
    { file: 'hours.yaml', kind: 'missing', title: 'Night (290)', inFolder: false, inAccount: true },
    expect.objectContaining({ file: 'rules.yaml', kind: 'missing', inFolder: true }),
    { file: 'rules.yaml', title: 'Business hours of Night (290)', inAccount: true },
    { file: 'rules.yaml', title: 'After hours of Night (290)', inAccount: true },
  ]);
  const { stderr } = await desk.run('account diff company');
  expect(stderr).toContain(
    '1 item in the account is not in queues.yaml. To add it, run ucctl account export',
  );
});

test('replaces an earlier export, but neither edited files nor other folders', async () => {
  await using desk = await open();
  await desk.json('account export company');
  writeFileSync(join(desk.cwd, 'company', 'README.md'), 'ours');
  await desk.run('queue assign --queue 201 --add 107 --yes');
  expect(await desk.run('account export company')).toMatchObject({ exit: 0 });
  expect(await differences(desk)).toEqual([]);
  edit(desk, 'queues.yaml', (text) => text.replace('alertTimer: 30', 'alertTimer: 45'));
  const edited = readFileSync(join(desk.cwd, 'company/queues.yaml'), 'utf8');
  expect(await desk.run('account export company')).toMatchObject({
    exit: 11,
    stderr: expect.stringContaining('files in company have changed since the export: queues.yaml') as string,
  });
  expect(readFileSync(join(desk.cwd, 'company/queues.yaml'), 'utf8')).toBe(edited);
  await desk.json('queue apply -f company/queues.yaml --yes');
  // The account has the edits now, so the new export loses nothing.
  expect(await desk.run('account export company')).toMatchObject({ exit: 0 });
  edit(desk, 'queues.yaml', (text) => text.replace('alertTimer: 45', 'alertTimer: 60'));
  expect(await desk.run('account export company --clobber')).toMatchObject({ exit: 0 });
  expect(readFileSync(join(desk.cwd, 'company/queues.yaml'), 'utf8')).toBe(edited);
  expect(readFileSync(join(desk.cwd, 'company', 'README.md'), 'utf8')).toBe('ours');
  mkdirSync(join(desk.cwd, 'other'));
  writeFileSync(join(desk.cwd, 'other', 'notes.txt'), 'ours');
  desk.writes();
  expect(await desk.run('account export other')).toMatchObject({
    exit: 11,
    stderr: expect.stringContaining('other is not an exported account: account.yaml is missing') as string,
  });
  expect(readdirSync(join(desk.cwd, 'other'))).toEqual(['notes.txt']);
  expect(await desk.run('account export other --clobber')).toMatchObject({ exit: 0 });
  expect(readdirSync(join(desk.cwd, 'other')).sort()).toEqual([...folderNames, 'notes.txt'].sort());
});

test('line breaks of Windows, as in a checkout of Git, are not edits', async () => {
  await using desk = await open();
  await desk.json('account export company');
  for (const file of folderNames) edit(desk, file, (text) => text.replaceAll('\n', '\r\n'));
  await desk.run('queue assign --queue 201 --add 107 --yes');
  expect(await desk.run('account export company')).toMatchObject({ exit: 0 });
  expect(await differences(desk)).toEqual([]);
});

test('the next step quotes the folder for a shell', async () => {
  await using desk = await open();
  const exported = await desk.run(['account', 'export', "O'Neil & Co", '-o', 'json']);
  expect(JSON.parse(exported.stdout)).toMatchObject([
    {
      file: "O'Neil & Co/queues.yaml",
      plan: String.raw`ucctl queue plan -f 'O'\''Neil & Co/queues.yaml'`,
    },
    {},
    {},
    {},
  ]);
  const path = join(desk.cwd, "O'Neil & Co", 'queues.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('alertTimer: 30', 'alertTimer: 45'));
  const quoted = String.raw`'O'\''Neil & Co'`;
  expect(await desk.run(['account', 'export', "O'Neil & Co"])).toMatchObject({
    exit: 11,
    stderr: expect.stringContaining(`show the edits: ucctl account diff ${quoted}\n`) as string,
  });
  rmSync(path);
  expect(await desk.run(['account', 'diff', "O'Neil & Co"])).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining(`ucctl account export ${quoted} --only people,hours,rules\n`) as string,
  });
});

test('an export of some parts does not treat the other files as edited, and compares them as before', async () => {
  await using desk = await open();
  await desk.json('account export company --personal');
  await desk.json('account export company --only queues');
  expect(await differences(desk)).toEqual([]);
  writeFileSync(join(desk.cwd, 'saturday.yaml'), 'hours:\n  - owner: company\n    saturday: 10:00-14:00\n');
  await desk.json('hours apply -f saturday.yaml --yes');
  expect(await desk.run('account export company')).toMatchObject({ exit: 0 });
  edit(desk, 'hours.yaml', (text) => text.replace('10:00-14:00', '10:00-15:00'));
  await desk.json('account export company --only queues');
  expect(await desk.run('account export company')).toMatchObject({
    exit: 11,
    stderr: expect.stringContaining('changed since the export: hours.yaml') as string,
  });
});

test('an export of some parts with --clobber still knows the other files', async () => {
  await using desk = await open();
  await desk.json('account export company --personal');
  edit(desk, 'queues.yaml', (text) => text.replace('alertTimer: 30', 'alertTimer: 45'));
  await desk.json('account export company --only queues --clobber');
  expect(await differences(desk)).toEqual([]);
  writeFileSync(join(desk.cwd, 'saturday.yaml'), 'hours:\n  - owner: company\n    saturday: 10:00-14:00\n');
  await desk.json('hours apply -f saturday.yaml --yes');
  expect(await desk.run('account export company --personal')).toMatchObject({ exit: 0 });
});

test('a missing file is reported, and an export of another service is not replaced', async () => {
  await using desk = await open();
  await desk.json('account export company');
  rmSync(join(desk.cwd, 'company/hours.yaml'));
  expect(await desk.run('account diff company --detailed-exitcode')).toMatchObject({
    exit: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /exported files are missing in company: hours\.yaml\n.*--only queues,people,rules/s,
    ) as string,
  });
  expect(await desk.run('account export company --only queues,people,rules')).toMatchObject({ exit: 0 });
  expect(await differences(desk)).toEqual([]);
  const manifest = join(desk.cwd, 'company/account.yaml');
  const foreign = readFileSync(manifest, 'utf8').replace(/^service: .*$/m, 'service: https://other.test');
  writeFileSync(manifest, foreign);
  expect(await desk.run('account export company')).toMatchObject({
    exit: 11,
    stderr: expect.stringContaining('company was exported from https://other.test') as string,
  });
  expect(readFileSync(manifest, 'utf8')).toBe(foreign);
  expect(await desk.run('account export company --clobber')).toMatchObject({ exit: 0 });
  expect(await desk.run('account export company/account.yaml/deep')).toMatchObject({
    exit: 2,
  });
  expect(await desk.run('account export /proc/company')).toMatchObject({
    exit: 12,
    stderr: expect.stringContaining('cannot create the folder /proc/company: ') as string,
  });
});

test('an interrupted export writes nothing', async () => {
  const stop = new AbortController();
  const cwd = temporaryFolder();
  const office = await openOffice(
    'administrator',
    (send) => (request) => {
      if (request.url.pathname.endsWith('/business-hours')) stop.abort(new Error('Ctrl-C'));
      return send(request);
    },
    ':memory:',
    { dialect: 'current' },
  );
  const env = { UCCTL_BASE_URL: office.sandbox.url, UCCTL_DIALECT: 'current' };
  const { exit, stderr } = await office.run('account export company', {
    cwd,
    env,
    paths: temporaryPaths(),
    signal: stop.signal,
  });
  expect([exit, stderr]).toEqual([
    130,
    expect.stringContaining('warning: interrupted; no file was written\n'),
  ]);
  expect(existsSync(join(cwd, 'company'))).toBe(false);
});

test('an export that stopped while it replaced the files is reported, and repeated', async () => {
  await using desk = await open();
  await desk.json('account export company');
  // A folder where a file belongs stops the export while it replaces the files.
  rmSync(join(desk.cwd, 'company/rules.yaml'));
  mkdirSync(join(desk.cwd, 'company/rules.yaml/inside'), { recursive: true });
  const failed = await desk.run('account export company --clobber');
  expect(failed.exit).toBe(12);
  expect(readdirSync(join(desk.cwd, 'company')).sort()).toEqual(folderNames);
  renameSync(join(desk.cwd, 'company/rules.yaml'), join(desk.cwd, 'aside'));
  expect(await desk.run('account diff company')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('the export into company was interrupted') as string,
  });
  expect(await desk.run('account export company')).toMatchObject({ exit: 0 });
  expect(await differences(desk)).toEqual([]);
});

test.each(['utf16le', 'latin1'] as const)('compares files that an editor saved as %s', async (encoding) => {
  await using desk = await open();
  await desk.json('account export company --only people');
  edit(desk, 'people.yaml', (whole) => whole.replace('department: null', 'department: S\u00fcd'));
  const path = join(desk.cwd, 'company/people.yaml');
  const text = readFileSync(path, 'utf8');
  const expected = await desk.run('account diff company -o json');
  writeFileSync(path, Buffer.from(encoding === 'utf16le' ? `\uFEFF${text}` : text, encoding));
  const found = await desk.run('account diff company -o json');
  expect(found.stdout).toBe(expected.stdout);
  expect(found.stdout).toContain('"inFolder": "S\u00fcd"');
  expect(found.stderr).toContain(
    `ucctl reads company/people.yaml as ${encoding === 'latin1' ? 'Windows-1252' : 'UTF-16'}`,
  );
  writeFileSync(path, Buffer.from([0xff, 1, 2, 3]));
  expect(await desk.run('account diff company')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('cannot read company/people.yaml: the file is not a text file') as string,
  });
});

test('reports folders that cannot be compared, and all problems of the files', async () => {
  await using desk = await open();
  expect(await desk.run('account diff nowhere')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('nowhere does not contain an exported account') as string,
  });
  await desk.json('account export company --only queues,hours');
  expect(readdirSync(join(desk.cwd, 'company')).sort()).toEqual([
    'account.yaml',
    'hours.yaml',
    'queues.yaml',
  ]);
  edit(desk, 'hours.yaml', (text) => text.replace('saturday: closed', 'saturday: 9-5'));
  edit(desk, 'queues.yaml', (text) => text.replace('alertTimer: 30', 'alertTimer: 7'));
  const wrong = await desk.run('account diff company');
  expect(wrong.exit).toBe(2);
  expect(wrong.stderr).toMatch(/queues\.yaml, line \d+, column \d+: "alertTimer" must be one of/);
  expect(wrong.stderr).toMatch(/hours\.yaml, line \d+, column saturday: "9-5" is not a valid time range/);
  edit(desk, 'queues.yaml', (text) => `${text}  - queue: Support\n    agents: []\n`);
  expect((await desk.run('account diff company')).stderr).toMatch(
    /queues\.yaml, line \d+, column queue: Support \(201\) is listed twice/,
  );
  const manifest = join(desk.cwd, 'company/account.yaml');
  const facts = parse(readFileSync(manifest, 'utf8')) as object;
  writeFileSync(manifest, stringify({ ...facts, service: 'https://other.example' }));
  expect(await desk.run('account diff company')).toMatchObject({ exit: 11 });
  writeFileSync(manifest, stringify({ ...facts, version: 2 }));
  expect(await desk.run('account diff company')).toMatchObject({
    exit: 11,
    stderr: expect.stringContaining(
      'has version 2, but this version of ucctl reads only version 1',
    ) as string,
  });
});
