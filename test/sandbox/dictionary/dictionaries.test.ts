import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { send, userClient } from '../request.ts';

test('spec:OAUTH-30, DICT-1 dictionaries: countries, states, locations, time zones', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const { get } = await userClient(sandbox, '102');
  const countries = (await get('/dictionary/country?perPage=1000')).body;
  expect(countries.records[0]).toEqual({
    uri: `${sandbox.url}/restapi/v1.0/dictionary/country/1`,
    id: '1',
    name: 'United States',
    isoCode: 'US',
    callingCode: '1',
  });
  expect(countries.records.length).toBeGreaterThan(200);
  const canada = countries.records.find(({ isoCode }) => isoCode === 'CA');
  const provinces = (await get(`/dictionary/state?countryId=${String(canada?.['id'])}`)).body.records;
  expect(provinces).toHaveLength(13);
  expect((await get('/dictionary/state')).body.paging).toMatchObject({ totalElements: 64 });
  const california = (await get('/dictionary/state?countryId=1')).body.records.find(
    ({ isoCode }) => isoCode === 'CA',
  );
  const cities = (await get(`/dictionary/location?stateId=${String(california?.['id'])}`)).body.records;
  expect(cities).toContainEqual(expect.objectContaining({ city: 'San Francisco', areaCode: '415' }));
  const zones = (await get('/dictionary/timezone')).body.records;
  expect(zones).toContainEqual(expect.objectContaining({ name: 'America/New_York', bias: '-300' }));
});

test('spec:DICT-2 every state and location belongs to one that is listed', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const { get } = await userClient(sandbox, '102');
  const list = async (name: string) => (await get(`/dictionary/${name}?perPage=1000`)).body.records;
  const ids = async (name: string) => new Set((await list(name)).map(({ id }) => id));
  const parents = (rows: Awaited<ReturnType<typeof list>>, name: string) =>
    rows.map((row) => (row[name] as { id: string }).id);
  const countries = await ids('country');
  const states = await ids('state');
  expect(parents(await list('state'), 'country').filter((id) => !countries.has(id))).toEqual([]);
  expect(parents(await list('location'), 'state').filter((id) => !states.has(id))).toEqual([]);
});

test('spec:SANDBOX-14 Accept-Language is honoured: names of countries, and Content-Language; spec:BASE-23', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const { token } = await userClient(sandbox, '102');
  const ask = async (language: string) => {
    const answer = await send(sandbox, 'GET', '/dictionary/country', {
      token,
      headers: { 'accept-language': language },
    });
    return [answer.headers.get('content-language'), answer.body.records[0]?.['name']];
  };
  expect(await ask('de-AT, en;q=0.5')).toEqual(['de-DE', 'Vereinigte Staaten']);
  expect(await ask('tlh, en;q=0.1, fr-CA;q=0.9')).toEqual(['fr-CA', 'États-Unis']);
  expect(await ask('*')).toEqual(['en-US', 'United States']);
  expect(await ask('de;q=0')).toEqual(['en-US', 'United States']);
  const other = await send(sandbox, 'GET', '/account/~/extension?type=Department', {
    token,
    headers: { accept: 'application/json', 'accept-language': 'de' },
  });
  expect(other.headers.get('content-language')).toBe('en-US');
});

test('spec:BASE-16 the versions, for anyone', async () => {
  await using sandbox = await startSandbox({ listen: false });
  for (const path of ['/restapi', '/restapi/v1.0']) {
    const { status, body } = await send(sandbox, 'GET', path);
    expect(status).toBe(200);
    expect(body).toMatchObject({ apiVersions: [{ versionString: '1.0.9', uriString: 'v1.0' }] });
  }
});

test('spec:BASE-14 the replaced query-based endpoints are gone', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const { token } = await userClient(sandbox, '102');
  for (const path of [
    '/restapi/ringout?cmd=list',
    '/restapi/ringout?cmd=call',
    '/restapi/ringout?cmd=status',
    '/restapi/ringout?cmd=cancel',
    '/restapi/fax?to=1',
  ]) {
    const answer = await send(sandbox, 'GET', path, { token });
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ errorCode: 'AGW-404', message: 'Resource not found', errors: [] });
  }
});
