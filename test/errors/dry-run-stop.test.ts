import { expect, test } from 'vitest';
import { DryRunStop, type DryRunRequest } from '../../src/errors/dry-run-stop.ts';

const request = (name: string): DryRunRequest => ({
  method: 'POST',
  url: `https://example.com/${name}`,
  body: {},
});

test('the stop of a dry run copies the requests before it only when they are read', () => {
  let reads = 0;
  const before: DryRunRequest[] = new Proxy([request('a')], {
    get(list, name, receiver) {
      if (name === '0') reads += 1;
      return Reflect.get(list, name, receiver) as unknown;
    },
  });
  const stop = new DryRunStop(request('b'), before);
  before.push(stop.request, request('c'));
  expect(reads).toBe(0);
  expect(stop.all.map(({ url }) => url)).toEqual(['https://example.com/a', 'https://example.com/b']);
  expect(reads).toBe(1);
});
