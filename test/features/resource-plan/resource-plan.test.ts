import { describe, expect, it } from 'vitest';
import { ucctl } from '../../../src/errors/hint.ts';
import { Journal, runBulk } from '../../../src/features/bulk/index.ts';
import {
  compareResources,
  findDrift,
  guardResources,
  invertResources,
  looksLikeResourcePlan,
  nestValues,
  readResourceFile,
  readResourcePlan,
  resourceSummary,
  resourceWork,
  toResourcePlanDocument,
  writeResourcePlan,
  countResourceRequests,
  type ChangeReceipt,
  type PresentResource,
  type ResourceChange,
  type ResourceKind,
  type Values,
} from '../../../src/features/resource-plan/index.ts';
import { SentSecrets } from '../../../src/platform/sent-secrets.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** A service with lamps. It rejects the colour black within an accepted request. */
class Lamps {
  readonly lamps = new Map<string, PresentResource>();
  readonly requests: (readonly string[])[] = [];

  add(key: string, values: Values): void {
    this.lamps.set(key, { id: `id-${key}`, values });
  }

  send(changes: readonly ResourceChange[]): Promise<ChangeReceipt> {
    this.requests.push(changes.map(({ key }) => key));
    const rejected = new Map<number, { code: string; message: string }>();
    for (const [index, { key, after }] of changes.entries()) {
      if (after['colour'] === 'black') rejected.set(index, { code: 'LAMP-1', message: 'no such colour' });
      else this.add(key, { ...this.lamps.get(key)?.values, ...after });
    }
    return Promise.resolve({ requestId: 'r-1', rejected });
  }

  get kind(): ResourceKind {
    return {
      run: 'lamp.settings',
      noun: 'lamp',
      what: 'change of lamps',
      label: 'changing lamps',
      resume: ucctl('lamp apply --resume'),
      maxItems: 2,
      groups: { read: 'Light', readItems: 1, update: 'Medium', create: 'Heavy' },
      read: (refs) =>
        Promise.resolve(
          new Map(
            refs.flatMap(({ key }) => {
              const found = this.lamps.get(key);
              return found ? [[key, found] as const] : [];
            }),
          ),
        ),
      send: (changes) => this.send(changes),
      undoCreation: { on: false },
      creationNote: 'A lamp cannot be deleted.',
    };
  }
}

function office(): Lamps {
  const lamps = new Lamps();
  lamps.add('a', { on: true, colour: 'red', 'level.warm': 3 });
  lamps.add('b', { on: true, colour: 'red' });
  lamps.add('c', { on: true, colour: 'red' });
  return lamps;
}

const want = (key: string, values: Values) => ({ id: null, key, title: `Lamp ${key}`, values });
const quiet = {
  maxItems: 2,
  concurrency: 1,
  maxErrors: Number.POSITIVE_INFINITY,
  retries: 0,
  sleep: () => Promise.resolve(),
  signal: new AbortController().signal,
};

function journalled(lamps: Lamps, changes: readonly ResourceChange[]) {
  const journal = Journal.open(temporaryFolder(), () => 1000, new SentSecrets());
  const run = journal.create<ResourceChange>({
    kind: lamps.kind.run,
    title: 'lamps',
    baseUrl: 'https://x.example',
    now: 1000,
    detail: {},
    items: changes.map((payload) => ({ action: payload.action, subject: payload.title, payload })),
  });
  return { journal, run, items: () => journal.items<ResourceChange>(run) };
}

describe('a plan of settings', () => {
  it('contains only the settings that differ, and the creation of what does not exist', async () => {
    const lamps = office();
    const desired = [
      want('a', { colour: 'red', on: false }),
      want('b', { on: true }),
      want('z', { on: true }),
    ];
    const plan = compareResources(desired, await lamps.kind.read(desired, undefined));
    expect(plan.changes).toMatchObject([
      { action: 'update', id: 'id-a', before: { on: true }, after: { on: false } },
      { action: 'create', id: null, key: 'z', before: {}, after: { on: true } },
    ]);
    expect(plan.unchanged).toMatchObject([{ key: 'b' }]);
    expect(resourceSummary(plan.changes, 'lamp')).toBe('1 lamp to create, 1 to change');
    expect(countResourceRequests(lamps.kind, plan.changes)).toEqual({ Heavy: 1, Medium: 1, Light: 2 });
  });

  it('is the same after it was saved and read', () => {
    const plan = compareResources([want('z', { on: true })], new Map());
    const limits = { maxChanges: { given: '0', atLeast: 0 }, protectedIds: ['id-a'] };
    const input = { headings: ['lamp'], rows: [['z']] };
    const document = toResourcePlanDocument(office().kind, plan, {
      baseUrl: 'https://x',
      now: 0,
      limits,
      input,
    });
    const text = writeResourcePlan(document);
    expect(looksLikeResourcePlan(text)).toBe(true);
    expect(readResourcePlan(text, { run: 'lamp.settings' })).toEqual(document);
    expect(document.guards).toMatchObject([{ kind: 'max-changes', changed: 1, total: 1, limit: 0 }]);
    expect(() => readResourcePlan(text, { run: 'other' })).toThrow(
      'the file is a plan of lamp.settings, not of other',
    );
    expect(() => readResourcePlan('{}', { run: 'other' })).toThrow(RangeError);
    for (const damaged of [{}, { ...input, rows: [1] }]) {
      const whole = JSON.stringify({ ...document, input: damaged });
      expect(() => readResourcePlan(whole, { run: 'lamp.settings' })).toThrow('the plan is incomplete');
    }
  });

  it('exceeds limits by number, by percentage, and by protected resources', () => {
    const change = { id: '1', key: '1', title: 'One', action: 'update', before: {}, after: {} } as const;
    const changes = [change, { ...change, id: '2', key: '2' }];
    const limit = (given: string, atLeast = 0) => ({ maxChanges: { given, atLeast }, protectedIds: [] });
    expect(guardResources(changes, 10, limit('20%'))).toEqual([]);
    expect(guardResources(changes, 9, limit('20%'))).toMatchObject([{ kind: 'max-changes', limit: 1 }]);
    expect(guardResources(changes, 9, limit('20%', 2))).toEqual([]);
    expect(guardResources(changes, 9, { maxChanges: undefined, protectedIds: ['2'] })).toMatchObject([
      { kind: 'protected', id: '2' },
    ]);
    expect(() => guardResources(changes, 9, limit('many'))).toThrow('--max-changes requires a number');
  });

  it('notices settings that somebody else has changed', async () => {
    const lamps = office();
    const desired = [want('a', { on: false }), want('z', { on: true })];
    const { changes } = compareResources(desired, await lamps.kind.read(desired, undefined));
    lamps.add('a', { on: null, colour: 'red' });
    lamps.add('z', { on: true });
    expect(findDrift(changes, await lamps.kind.read(desired, undefined), 'before')).toMatchObject([
      { texts: ['on was true and is now none'] },
      { texts: ['already exists (ID id-z)'] },
    ]);
  });
});

describe('a run that changes settings', () => {
  it('sends each creation alone, and records why the service rejected one of several', async () => {
    const lamps = office();
    const desired = [
      want('z', { on: true }),
      want('a', { colour: 'black' }),
      want('b', { on: false }),
      want('c', { on: false }),
    ];
    const { changes } = compareResources(desired, await lamps.kind.read(desired, undefined));
    const { journal, run, items } = journalled(lamps, changes);
    await runBulk({ ...quiet, journal, run, work: resourceWork(lamps.kind) });
    expect(lamps.requests).toEqual([['z'], ['a', 'b'], ['c']]);
    expect(items().map(({ status, code }) => [status, code])).toEqual([
      ['ok', undefined],
      ['failed', 'LAMP-1'],
      ['ok', undefined],
      ['ok', undefined],
    ]);
  });

  it('is undone except for what others have changed; a created resource is switched off', async () => {
    const lamps = office();
    const desired = [
      want('z', { on: true }),
      want('a', { on: false, colour: 'blue' }),
      want('b', { on: false }),
    ];
    const { changes } = compareResources(desired, await lamps.kind.read(desired, undefined));
    const { journal, run, items } = journalled(lamps, changes);
    await runBulk({ ...quiet, journal, run, work: resourceWork(lamps.kind) });
    lamps.add('a', { on: false, colour: 'green' });
    const inverse = await invertResources(lamps.kind, items(), new AbortController().signal);
    expect(inverse.changedSince).toEqual(['lamp Lamp a: colour was blue and is now green']);
    expect(inverse.remaining).toEqual(['Lamp z']);
    expect(inverse.changes).toMatchObject([
      { key: 'z', action: 'update', before: { on: true }, after: { on: false } },
      { key: 'a', before: { on: false }, after: { on: true } },
      { key: 'b', before: { on: false }, after: { on: true } },
    ]);
  });
});

describe('a file with settings', () => {
  const form = {
    list: 'lamps',
    item: 'lamp',
    otherKeys: ['rooms'],
    settings: [
      { name: 'on', type: 'boolean' },
      { name: 'colour', type: 'text', values: ['red', 'blue'] },
      { name: 'number', type: 'text', maxLength: 3 },
      { name: 'level.warm', type: 'integer', min: 0, max: 5 },
    ],
  } as const;

  it('is read with nested settings and leading zeros', () => {
    const text =
      'lamps:\n  - lamp: A\n    on: yes\n    number: 007\n    level: { warm: 3 }\n    rooms: [x]\n';
    const { resources, problems } = readResourceFile(text, 'l.yaml', form);
    expect(problems).toEqual([]);
    const lines = { on: 3, number: 4, 'level.warm': 5 };
    const values = { on: true, number: '007', 'level.warm': 3 };
    expect(resources).toEqual([
      { name: 'A', values, lines, flags: new Set(), place: { file: 'l.yaml', line: 2 } },
    ]);
    expect(nestValues({ ...values, colour: null })).toEqual({ on: true, number: '007', level: { warm: 3 } });
  });

  it('reports every problem with its place', () => {
    const text =
      'lamps:\n  - lamp: A\n    on: maybe\n    color: red\n    colour: pink\n    number: 1234\n    level:\n      warm: 9\n      cold: 1\n  - on: true\n';
    const { problems } = readResourceFile(text, 'l.yaml', form);
    expect(problems.map(({ place, text: why }) => [place?.line, why])).toEqual([
      [3, '"on" must be true or false'],
      [4, 'unknown setting "color"; did you mean "colour"?'],
      [5, '"colour" must be one of red, blue'],
      [6, '"number" must be text of at most 3 characters'],
      [8, '"level.warm" must be a number from 0 to 5'],
      [9, expect.stringContaining('unknown setting "level.cold"')],
      [10, '"lamp:" is missing'],
    ]);
  });

  it.each(['~', 'null'])('reads the name %s without quotes as a missing name', (word) => {
    const read = (name: string) =>
      readResourceFile(`lamps:\n  - lamp: ${name}\n    on: yes\n`, 'l.yaml', form);
    expect(read(word)).toMatchObject({
      resources: [],
      problems: [{ place: { line: 2, column: '5' }, text: '"lamp:" is missing' }],
    });
    expect(read(`"${word}"`)).toMatchObject({ resources: [{ name: word }], problems: [] });
  });

  it('rejects a mapping and items without settings, unless other code reads them', () => {
    const problemsOf = (text: string, settingsKey?: string) =>
      readResourceFile(text, 'l.yaml', { ...form, ...(settingsKey && { settingsKey }) }).problems.map(
        ({ place, text: why }) => [place?.line, why],
      );
    const mapping = 'lamps:\n  A: { on: yes }\n';
    expect(problemsOf(mapping)).toEqual([
      [2, '"lamps:" must be a list with an entry "- lamp: NAME" for each lamp'],
    ]);
    const items = 'lamps:\n  - lamp: A\n  - B\n  -\n  - [C]\n';
    const expected = 'expected "- lamp: NAME" with its settings below it';
    expect(problemsOf(items)).toEqual([3, 4, 5].map((line) => [line, expected]));
    expect([...problemsOf(mapping, 'settings'), ...problemsOf(items, 'settings')]).toEqual([]);
  });

  it('rejects aliases, and reads nothing else', () => {
    const text = 'lamps:\n  - &a { lamp: A, on: yes }\n  - *a\n  - lamp: B\n    <<: *a\n';
    const { resources, problems } = readResourceFile(text, 'l.yaml', form);
    expect(resources).toEqual([]);
    const reason = '"*a" is an alias, which ucctl does not read; write the value itself';
    expect(problems.map(({ place, text: why }) => [place?.line, why])).toEqual([
      [3, reason],
      [5, reason],
    ]);
  });
});
