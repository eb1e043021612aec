import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { rejection, userClient } from '../request.ts';

const support = '171857201';
const sales = '171857202';
const path = '/account/~/department/bulk-assign';

function numbers(sandbox: Sandbox, queue: string) {
  return sandbox.members(queue).map(({ extensionNumber }) => extensionNumber);
}

describe('members', () => {
  test('spec:QUEUE-2, QUEUE-6 to QUEUE-8 lists the agents, paged', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const { body } = await user.get(`/account/~/department/${support}/members?perPage=2`);
    expect(body.records.map(({ id, extensionNumber }) => [id, extensionNumber])).toEqual([
      [171857102, '102'],
      [171857103, '103'],
    ]);
    expect(body.paging['totalElements']).toBe(3);
  });

  test('an extension that is not a queue is not found', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    expect(rejection(await user.get('/account/~/department/171857102/members'))).toBe('404 CMN-102');
  });
});

describe('bulk-assign', () => {
  test('spec:QUEUE-3, QUEUE-9 to QUEUE-11, ERROR-9 several items in one request; 204 without a body', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const admin = await userClient(sandbox, 'administrator');
    const answer = await admin.post(path, {
      items: [
        { departmentId: support, addedExtensionIds: ['171857106'], removedExtensionIds: ['171857102'] },
        { departmentId: sales, removedExtensionIds: ['171857104'] },
      ],
    });
    expect(answer).toMatchObject({ status: 204, body: { text: '' } });
    expect(numbers(sandbox, support)).toEqual(['103', '104', '106']);
    expect(numbers(sandbox, sales)).toEqual(['105', '106']);
  });

  test('again changes nothing', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const admin = await userClient(sandbox, 'administrator');
    const items = [
      {
        departmentId: support,
        addedExtensionIds: ['171857106', '171857106'],
        removedExtensionIds: ['171857107'],
      },
    ];
    const answers = [await admin.post(path, { items }), await admin.post(path, { items })];
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect(numbers(sandbox, support)).toEqual(['102', '103', '104', '106']);
  });

  test('spec:ERROR-22 what is rejected, and why', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const admin = await userClient(sandbox, 'administrator');
    const assign = async (item: object) => {
      const answer = await admin.post(path, { items: [{ departmentId: support, ...item }] });
      return [rejection(answer), answer.body['parameterName']];
    };
    expect(await assign({ departmentId: '171857102' })).toEqual(['400 CMN-102', 'items[0].departmentId']);
    expect(await assign({ addedExtensionIds: ['1'] })).toEqual([
      '400 CMN-102',
      'items[0].addedExtensionIds[0]',
    ]);
    expect(await assign({ removedExtensionIds: ['x'] })).toEqual([
      '400 CMN-102',
      'items[0].removedExtensionIds[0]',
    ]);
    const both = { addedExtensionIds: ['171857106'], removedExtensionIds: ['171857106'] };
    expect(await assign(both)).toEqual(['400 CMN-406', 'items[0].addedExtensionIds']);
    for (const id of ['171857108', '171857109', '171857120', '171857202']) {
      expect(await assign({ addedExtensionIds: [id] })).toEqual([
        '400 CMN-101',
        'items[0].addedExtensionIds[0]',
      ]);
    }
    expect(await assign({ addedExtensionIds: [171857106] })).toEqual([
      '400 CMN-101',
      'items[0].addedExtensionIds[0]',
    ]);
    expect(numbers(sandbox, support)).toEqual(['102', '103', '104']);
  });

  test('spec:ERROR-20 needs an administrator', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const rejected = await user.post(path, { items: [{ departmentId: support }] });
    expect(rejection(rejected)).toBe('403 CMN-402');
    expect(rejected.body.errorCode).toBe('InsufficientPermissions');
  });
});
