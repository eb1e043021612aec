import { beforeAll, describe, expect, it } from 'vitest';
import { postgresMissing } from '../support/postgres.ts';
import { allCases, postgresCases, sandboxCases } from './all-cases.ts';
import { type Desk, openDesk } from './desk.ts';
import { nouns } from './samples.ts';
import { shoot } from './shoot.ts';
import { faultOfSuccess } from './subject.ts';

const missing = postgresMissing();
// The cases of `sandbox` start programs, and their commands use the control API, which has no dialects.
const inProcess = Object.entries(allCases).filter(([noun]) => !Object.hasOwn(sandboxCases, noun));

it('every command is run in dialect current', () => {
  const run = inProcess.flatMap(([, { commands }]) => Object.keys(commands));
  const expected = [...nouns]
    .filter(([name]) => !Object.hasOwn(sandboxCases, name))
    .flatMap(([, { commands }]) => commands.map(({ path }) => path.join(' ')));
  expect(run.toSorted()).toEqual(expected.toSorted());
});

describe('dialect current', () => {
  for (const [noun, cases] of inProcess) {
    describe.skipIf(Object.hasOwn(postgresCases, noun) && missing)(`noun ${noun}`, () => {
      let desk: Desk;
      beforeAll(async () => {
        // The case of `login` signs in by password, which services of today reject.
        const settings = { ...cases.desk.sandbox?.settings, grants: 'all' as const };
        // A WebSocket needs a port.
        const listen = noun === 'subscribe' || cases.desk.sandbox?.listen === true;
        const sandbox = { ...cases.desk.sandbox, dialect: 'current' as const, settings, listen };
        desk = await openDesk({ ...cases.desk, sandbox });
        return () => desk[Symbol.asyncDispose]();
      });
      for (const spec of nouns.get(noun)?.commands ?? []) {
        const name = spec.path.join(' ');
        const situations = cases.commands[name];
        if (!situations) continue;
        it.skipIf(situations.needs && missing)(`${name} succeeds`, async () => {
          const subject = {
            spec,
            situations,
            desk: () => desk,
            run: (shot: Parameters<typeof shoot>[2]) => shoot(desk, spec, shot),
          };
          expect(await faultOfSuccess(subject, situations.success, undefined, false)).toBe('');
        });
      }
    });
  }
});
