import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type Desk, openDesk } from '../../matrix/desk.ts';

const planned = [
  ['queues', 'queue'],
  ['people', 'agent'],
  ['hours', 'hours'],
  ['rules', 'rule'],
] as const;

function open(): Promise<Desk> {
  return openDesk({ sandbox: { dialect: 'current' } });
}

function differences(desk: Desk): Promise<readonly unknown[]> {
  return desk.json('account diff company');
}

const oddTexts = [
  '  Night',
  'Night ',
  'yes',
  'null',
  '0101',
  '=SUM(1)',
  '~',
  '- a: "b" #c',
  '😀 Zoë',
  'a\nb',
];

test.each(oddTexts)('the text %j is the same in files and account', async (text) => {
  await using desk = await open();
  const change = { 'queue.json': { name: `${text} ` }, 'rule.json': { name: text } };
  for (const [file, body] of Object.entries(change))
    writeFileSync(join(desk.cwd, file), JSON.stringify(body));
  await desk.json('api PUT account/~/call-queues/171857201 --input queue.json');
  const rules = 'account/~/extension/171857201/answering-rule';
  await desk.json(`api PUT ${rules}/after-hours-rule --input rule.json`);
  const people = stringify({ agents: [{ agent: '102', firstName: text, department: text }] });
  writeFileSync(join(desk.cwd, 'people.yaml'), people);
  await desk.json('agent apply -f people.yaml --yes');
  expect((await desk.run('agent plan -f people.yaml --detailed-exitcode')).exit).toBe(0);
  expect(await desk.run('account export company')).toMatchObject({ exit: 0 });
  expect(readFileSync(join(desk.cwd, 'company', 'queues.yaml'), 'utf8')).toContain(
    stringify({ name: `${text} ` }, { lineWidth: 0 })
      .trim()
      .split('\n')[0],
  );
  expect(await differences(desk)).toEqual([]);
  for (const [file, noun] of planned)
    expect([file, (await desk.run(`${noun} plan -f company/${file}.yaml --detailed-exitcode`)).exit]).toEqual(
      [file, 0],
    );
});

test('spaces that only a file has make no difference; a plan removes spaces that only the account has', async () => {
  await using desk = await open();
  writeFileSync(join(desk.cwd, 'queue.yaml'), 'queues:\n  - queue: "201"\n    settings: { name: Support }\n');
  await desk.json('account export company');
  const path = join(desk.cwd, 'company', 'queues.yaml');
  const spaced = readFileSync(path, 'utf8').replace(/^( +name: )Support$/m, '$1" Support "');
  expect(spaced).toContain('" Support "');
  writeFileSync(path, spaced);
  expect(await differences(desk)).toEqual([]);
  writeFileSync(join(desk.cwd, 'queue.json'), JSON.stringify({ name: '  Support' }));
  await desk.json('api PUT account/~/call-queues/171857201 --input queue.json');
  expect(await desk.json('queue plan -f queue.yaml')).toMatchObject({
    settings: { plan: { changes: [{ before: { name: '  Support' }, after: { name: 'Support' } }] } },
  });
});
