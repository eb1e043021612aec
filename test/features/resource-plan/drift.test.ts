import { describe, expect, it } from 'vitest';
import type { ResourceChange, Values } from '../../../src/features/resource-plan/change.ts';
import { compareResources, findDrift } from '../../../src/features/resource-plan/compare.ts';
import { guardResources } from '../../../src/features/resource-plan/limits.ts';
import { inSteps } from '../../../src/features/resource-plan/numbers.ts';

const ref = (key: string) => ({ id: key, key, title: `queue ${key}` });
const update = (key: string, before: Values, after: Values): ResourceChange => ({
  ...ref(key),
  action: 'update',
  before,
  after,
});
const creation = (key: string): ResourceChange => ({ ...update(key, {}, {}), id: null, action: 'create' });
const present = (values?: Values) => new Map(values ? [['1', { id: '1', values }]] : []);

describe('the drift of a change', () => {
  const change = update('1', { timer: 10, place: 'Bonn' }, { timer: 20, place: { city: 'Ulm' } });
  const made = { timer: 20, place: { city: 'Ulm' } };

  it.each([
    ['before', { timer: 10, place: 'Bonn' }, []],
    ['before', made, ['timer was 10 and is now 20', 'place was Bonn and is now {"city":"Ulm"}']],
    ['after', made, []],
    // The service may add members to a value that was sent.
    ['after', { timer: 20, place: { city: 'Ulm', zip: '89073' } }, []],
    ['after', { timer: 10, place: { city: 'Ulm' } }, ['timer was 20 and is now 10']],
    ['either', { timer: 20, place: 'Bonn' }, []],
    ['either', made, []],
    ['either', { timer: 30, place: 'Bonn' }, ['timer was 10 and is now 30']],
    ['before', undefined, ['no longer exists']],
  ] as const)('whose settings should be as %s, but are %j: %j', (expected, values, texts) => {
    expect(findDrift([change], present(values), expected).flatMap((one) => one.texts)).toEqual(texts);
  });

  it('a value that was read may not have another member', () => {
    const read = update('1', { place: { city: 'Ulm' } }, { place: null });
    expect(findDrift([read], present({ place: { city: 'Ulm', zip: '1' } }), 'before')).toHaveLength(1);
  });

  it.each([
    ['before', {}, 1],
    ['before', undefined, 0],
    // An interrupted run may have created it.
    ['either', {}, 0],
    ['after', undefined, 1],
  ] as const)('that creates a resource, %s, with %j', (expected, values, count) => {
    expect(findDrift([creation('1')], present(values), expected)).toHaveLength(count);
  });
});

it('a resource of a file that no longer exists is a problem, not a creation', () => {
  const plan = compareResources([{ ...ref('1'), values: { timer: 1 } }], present());
  expect(plan).toMatchObject({ changes: [], problems: [{ text: 'queue 1 no longer exists' }] });
});

it('a change within the limit still cannot change a protected resource', () => {
  const limits = { maxChanges: { given: '50%', atLeast: 0 }, protectedIds: ['1'] };
  const changes = [update('1', {}, {}), update('2', {}, {})];
  expect(guardResources(changes, 4, limits)).toMatchObject([{ kind: 'protected', id: '1' }]);
  expect(guardResources(changes, 3, limits).map(({ kind }) => kind)).toEqual(['max-changes', 'protected']);
});

it('a number is freed in an earlier request than it is used, and creations are first', () => {
  const chain = [
    update('1', { number: '201' }, { number: '202' }),
    update('2', { number: '202' }, { number: '203' }),
    creation('3'),
    update('4', { number: '203' }, { number: '204' }),
  ];
  const steps = inSteps(chain, ['number']).map(({ key, step = 0 }) => `${key} ${step}`);
  expect(steps).toEqual(['3 0', '4 0', '2 1', '1 2']);
});
