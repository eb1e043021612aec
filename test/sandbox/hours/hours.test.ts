import { expect, test } from 'vitest';
import { AnsweringRule, AnsweringRuleList } from '../../../src/contract/answering-rule.ts';
import { BusinessHours } from '../../../src/contract/business-hours.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { rejection, userClient } from '../request.ts';

const own = '/account/~/extension/171857102';
const ranges = (from: string, to: string) => ({ schedule: { weeklyRanges: { monday: [{ from, to }] } } });

test('spec:HOURS-1, HOURS-2, HOURS-3 hours of the company and of an extension are read and replaced', async () => {
  await using sandbox = await startSandbox({ listen: false, dialect: 'current' });
  const admin = await userClient(sandbox, 'administrator');
  for (const path of ['/account/~/business-hours', `${own}/business-hours`]) {
    const before = BusinessHours.parse((await admin.get(path)).body);
    expect(before.schedule?.weeklyRanges?.friday).toEqual([{ from: '09:00', to: '18:00' }]);
    const { status, body } = await admin.put(path, ranges('08:00', '12:30'));
    expect([status, BusinessHours.parse(body).schedule]).toEqual([200, ranges('08:00', '12:30').schedule]);
    expect((await admin.get(path)).body).toEqual(body);
    expect(rejection(await admin.put(path, ranges('18:00', '09:00')))).toBe('400 CMN-101');
    expect(rejection(await admin.put(path, ranges('08:00', '24:30')))).toBe('400 CMN-101');
    expect((await admin.get(path)).body).toEqual(body);
  }
  const company = (await admin.get('/account/~/business-hours')).body;
  expect((await admin.put('/account/~/business-hours', {})).body).toEqual(company);
  expect(rejection(await admin.put(`${own}/business-hours`, {}))).toBe('400 CMN-101');
  const user = await userClient(sandbox, '102');
  expect((await user.put(`${own}/business-hours`, ranges('10:00', '11:00'))).status).toBe(200);
});

test('spec:RULE-3 the query for one rule is checked, and changes nothing', async () => {
  await using sandbox = await startSandbox({ listen: false, dialect: 'current' });
  const admin = await userClient(sandbox, 'administrator');
  const path = `${own}/answering-rule/business-hours-rule`;
  const plain = await admin.get(path);
  const asked = await admin.get(`${path}?showInactiveNumbers=true&internalIds=true`);
  expect([asked.status, asked.body]).toEqual([200, plain.body]);
  expect(sandbox.requestLog().at(-1)?.unread).toEqual([]);
  const wrong = await admin.get(`${path}?internalIds=maybe`);
  expect([rejection(wrong), wrong.body['parameterName']]).toEqual(['400 CMN-101', 'internalIds']);
});

test('spec:RULE-1, RULE-2, RULE-3, RULE-4, RULE-5, RULE-6 rules are created, listed, changed and deleted', async () => {
  await using sandbox = await startSandbox({ listen: false, dialect: 'current' });
  const admin = await userClient(sandbox, 'administrator');
  const path = `${own}/answering-rule`;
  const rule = {
    type: 'Custom',
    name: 'Holiday',
    schedule: { ranges: [{ from: '2026-12-24T00:00:00Z', to: '2026-12-27T00:00:00Z' }] },
    callHandlingAction: 'TakeMessagesOnly',
  };
  const { status, body } = await admin.post(path, rule);
  const created = AnsweringRule.parse(body);
  expect([status, created]).toMatchObject([200, { ...rule, enabled: true }]);
  const list = async (query = '') =>
    AnsweringRuleList.parse((await admin.get(`${path}?${query}`)).body).records.map(({ id }) => id);
  const allTypes = 'type=BusinessHours&type=AfterHours&type=Custom';
  expect(await list(allTypes)).toEqual(['business-hours-rule', 'after-hours-rule', created.id]);
  expect(await list()).toEqual([created.id]);
  const simple = AnsweringRuleList.parse((await admin.get(path)).body).records.at(-1);
  expect(simple).not.toHaveProperty('callHandlingAction');
  await admin.put(`${path}/${created.id}`, { enabled: false });
  expect((await admin.get(`${path}/${created.id}`)).body).toMatchObject({ ...rule, enabled: false });
  expect(await list(`${allTypes}&enabledOnly=true`)).toEqual(['business-hours-rule', 'after-hours-rule']);
  const sameType = await admin.put(`${path}/${created.id}`, {
    id: created.id,
    type: 'Custom',
    name: 'Winter',
  });
  expect(sameType.body).toMatchObject({ type: 'Custom', name: 'Winter' });
  for (const wrong of [{ type: 'AfterHours' }, { id: 'after-hours-rule' }])
    expect(rejection(await admin.put(`${path}/${created.id}`, { ...wrong, name: 'Other' }))).toBe(
      '400 CMN-101',
    );
  expect((await admin.get(`${path}/${created.id}`)).body).toMatchObject({ type: 'Custom', name: 'Winter' });
  expect(rejection(await admin.delete(`${path}/after-hours-rule`))).toBe('400 CMN-101');
  expect((await admin.delete(`${path}/${created.id}`)).status).toBe(204);
  expect(rejection(await admin.get(`${path}/${created.id}`))).toBe('404 CMN-102');
});

test('spec:RULE-7 with new call handling, rules can be read but not changed', async () => {
  const settings = { newCallHandling: true };
  await using sandbox = await startSandbox({ listen: false, dialect: 'current', settings });
  const admin = await userClient(sandbox, 'administrator');
  expect((await admin.get(`${own}/answering-rule`)).status).toBe(200);
  const change = admin.put(`${own}/answering-rule/after-hours-rule`, { enabled: false });
  expect(rejection(await change)).toBe('403 CMN-408');
});
