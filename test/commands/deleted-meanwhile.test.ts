import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hoursNoun } from '../../src/commands/hours/noun.command.ts';
import { fakeReply } from '../support/fake-service.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { nouns, openOffice } from './office.ts';

const files = {
  queue: [
    'queues:\n  - queue: Support\n    settings: { alertTimer: 45 }\n',
    /\/call-queues\/\d+$/,
    'Support (201)',
  ],
  agent: ['agents:\n  - agent: 102\n    department: Night\n', /\/extension\/171857102$/, 'Dana Okafor (102)'],
  hours: [
    'hours:\n  - owner: 102\n    saturday: 10:00-14:00\n',
    /\/extension\/171857102\/business-hours$/,
    'Dana Okafor (102)',
  ],
  rule: [
    'rules:\n  - extension: 102\n    rule: after-hours-rule\n    enabled: false\n',
    /\/answering-rule$/,
    'after-hours-rule of Dana Okafor (102)',
  ],
} as const;

test.each(Object.entries(files))(
  '%s apply creates nothing in place of what somebody has deleted since the first read',
  async (noun, [text, path, title]) => {
    let reads = 0;
    const { sandbox, run, requests } = await openOffice(
      'administrator',
      (send) => async (request) => {
        if (request.method !== 'GET' || !path.test(request.url.pathname)) return send(request);
        reads += 1;
        // The rules are read once to find those that the file names.
        return noun === 'rule' && reads === 1 ? send(request) : fakeReply(notFound);
      },
      ':memory:',
      { dialect: 'current' },
    );
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'f.yaml'), text);
    const { exit, stderr } = await run(`${noun} apply -f f.yaml --yes`, {
      nouns: [hoursNoun, ...nouns],
      cwd,
      env: { UCCTL_BASE_URL: sandbox.url, UCCTL_DIALECT: 'current' },
    });
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`${title} no longer exists`)]);
    expect(requests().filter((line) => !line.startsWith('GET '))).toEqual([]);
  },
);

const notFound = { status: 404, body: { errorCode: 'CMN-102', message: 'Resource is not found' } };
