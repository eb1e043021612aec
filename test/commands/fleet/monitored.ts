import { expect, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { MetricsAddress, type Monitored } from '../../support/metrics.ts';
import type { FleetOffice } from './fleet-office.ts';

/** Starts a command with metrics, which ends with the test. */
export async function monitored(office: FleetOffice, words: string): Promise<Monitored> {
  const stop = new AbortController();
  const address = new MetricsAddress();
  const ended = office.run(`${words} --metrics-port 0`, {
    signal: stop.signal,
    onStderr: address.onStderr,
  });
  onTestFinished(async () => {
    stop.abort(new Error('interrupted'));
    await ended;
  });
  return address.monitored();
}

/** Waits until a service is ready, with these checks. */
export async function expectReady(service: Monitored, names: readonly string[]): Promise<void> {
  await eventually(async () => {
    const { status, body } = await service.text('/readyz');
    const { checks } = JSON.parse(body) as { readonly checks: Readonly<Record<string, string>> };
    expect([status, checks]).toEqual([200, Object.fromEntries(names.map((name) => [name, 'ok']))]);
  });
}
