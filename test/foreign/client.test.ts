import { describe, expect, it } from 'vitest';
import { buildClient } from '../../src/client/index.ts';
import { plainSettings } from '../support/fake-service.ts';
import { clientCases } from './client-cases.ts';
import { foreignNow, foreignOrigin, runAllowed, runDisallowed, type ClientReport } from './client-run.ts';
import { foreignHttp } from './in-process.ts';
import { ForeignService } from './service/foreign-service.ts';
import { plain } from './service/make.ts';
import { isList, isMembers } from './service/shape.ts';

/** One seed for each dialect; scripts/proofs/foreign.ts continues with further seeds. */
const seeds = [1, 2];
const entries = Object.entries(clientCases);

async function faultsOf(runs: readonly Promise<ClientReport>[]): Promise<readonly string[]> {
  return (await Promise.all(runs)).flatMap(({ fault }) => fault ?? []);
}

it('every method of every resource of the client has a case', () => {
  const client = buildClient({ ...plainSettings, http: () => Promise.reject(new Error('unused')) });
  const resources = Object.entries(client).filter(([name]) => name !== 'transport' && name !== 'pages');
  const methods = resources.flatMap(([resource, value]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(value))
      .filter((name) => name !== 'constructor')
      .map((name) => `${resource}.${name}`),
  );
  expect(methods.toSorted()).toEqual(Object.keys(clientCases).toSorted());
});

describe('allowed replies of a foreign service', () => {
  it.each(entries)('%s returns exactly the served data', async (name, entry) => {
    expect(await faultsOf(seeds.map((seed) => runAllowed(name, entry, seed)))).toEqual([]);
  });
});

describe('disallowed replies of a foreign service', () => {
  it.each(entries)('%s fails with an error that explains it', async (name, entry) => {
    expect(await faultsOf(seeds.map((seed) => runDisallowed(name, entry, seed)))).toEqual([]);
  });
});

it('spec:FAX-13 the documents of a sent fax keep their file names', async () => {
  const setting = { origin: foreignOrigin, now: foreignNow };
  const service = new ForeignService({ seed: 1, setting, how: plain });
  const baseUrl = new URL(foreignOrigin);
  const client = buildClient({ ...plainSettings, baseUrl, http: foreignHttp(service) });
  const { attachments } = await client.faxes.send({ to: [{ phoneNumber: '+14155550142' }] }, []);
  const served = service.exchanges[0]?.rows[0]?.['attachments'];
  const names = isList(served)
    ? served.map((one) => (isMembers(one) ? [one['filename'], one['fileName']] : one))
    : [];
  expect(names).not.toEqual([]);
  expect(names).toEqual(attachments.map(({ fileName }) => [fileName, undefined]));
});
