import { expect, test } from 'vitest';
import { freeNetwork } from '../../scripts/proofs/machines.ts';

const own = 70 + (process.pid % 100);
const next = 70 + ((process.pid + 1) % 100);
const route = (network: number): string => `unreachable 10.${network}.0.0/24 metric 4096\n`;

test('machines use a network without the routes of another or of a killed proof', () => {
  const others = 'default via 192.0.2.1 dev eth0\n';
  expect(freeNetwork(others)).toBe(`10.${own}`);
  expect(freeNetwork(others + route(own))).toBe(`10.${next}`);
});

test('without a free network, the error names the command that shows the routes', () => {
  const all = Array.from({ length: 100 }, (_, index) => route(70 + index)).join('');
  expect(() => freeNetwork(all)).toThrow('ip route');
});
