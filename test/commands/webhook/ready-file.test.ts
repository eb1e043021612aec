import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { machineName } from '../../../src/platform/machine-name.ts';
import { ConnectionError } from '../../../src/errors/service.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

/** The ready file of another running process of this machine. */
const other = JSON.stringify({ pid: process.ppid, machine: machineName() });

async function usedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('the ready file of webhook listen', () => {
  it('of a running process remains if a second process cannot start', async () => {
    const { run } = await openOffice();
    const file = join(temporaryFolder(), 'ready.json');
    writeFileSync(file, other);
    const { exit } = await run(`webhook listen --port ${await usedPort()} --ready-file ${file}`);
    expect([exit, existsSync(file) && readFileSync(file, 'utf8')]).toEqual([12, other]);
  });

  it.each([
    ['of another machine', { pid: process.ppid, machine: 'another-machine/00000000' }],
    ['of this process', { pid: process.pid, machine: machineName() }],
    ['without a machine', { pid: process.ppid }],
    ['without content', null],
  ])('%s is removed at the start', async (_, content) => {
    const { run } = await openOffice();
    const file = join(temporaryFolder(), 'ready.json');
    writeFileSync(file, JSON.stringify(content));
    const { exit } = await run(`webhook listen --port ${await usedPort()} --ready-file ${file}`);
    expect([exit, existsSync(file)]).toEqual([12, false]);
  });

  it('that another process has written remains after the listener', async () => {
    const { run } = await openOffice();
    const file = join(temporaryFolder(), 'ready.json');
    const stop = new AbortController();
    const result = run(`webhook listen --ready-file ${file}`, { signal: stop.signal });
    await eventually(() => {
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
        pid: process.pid,
        eventFilters: expect.any(Array) as unknown,
      });
    });
    writeFileSync(file, other);
    stop.abort(new Error('interrupted'));
    await result;
    expect(existsSync(file) && readFileSync(file, 'utf8')).toBe(other);
  });
});

describe('the ready file of an earlier run', () => {
  it.each([
    'webhook listen --extension 104 --public-url https://listen.example',
    'webhook listen --transport websocket --extension 104',
    'subscribe tail --extension 104 --transport channel',
    'sync --watch',
  ])('is removed before the first request of %s', async (words) => {
    const file = join(temporaryFolder(), 'ready.json');
    writeFileSync(file, '{}');
    const seen: boolean[] = [];
    const { run } = await openOffice('administrator', () => () => {
      seen.push(existsSync(file));
      return Promise.reject(new ConnectionError('ECONNREFUSED', 'no', 'https://service.example', undefined));
    });
    const dialect = words.includes('websocket') ? { UCCTL_DIALECT: 'current' } : {};
    const stop = new AbortController();
    const result = run(`${words} --ready-file ${file} --retry 0`, { env: dialect, signal: stop.signal });
    await eventually(() => expect(seen.length).toBeGreaterThan(0));
    stop.abort(new Error('interrupted'));
    await result;
    expect(seen[0]).toBe(false);
  });
});
