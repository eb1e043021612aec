import { describe, expect, it } from 'vitest';
import { requireSameSender } from '../../../src/commands/sms/same-sender.ts';
import { ApiError } from '../../../src/errors/service.ts';

type Numbers = readonly { readonly phoneNumber: string; readonly features: readonly string[] }[];

const from = '+16505550110';
const own: Numbers = [{ phoneNumber: from, features: ['SmsSender'] }];
const batchOnly: Numbers = [{ phoneNumber: from, features: ['A2PSmsSender'] }];
const forbidden = (status: number): ApiError =>
  new ApiError({
    status,
    errorCode: 'CMN-401',
    message: 'no permission',
    parameterName: undefined,
    requestId: undefined,
    request: { method: 'GET', path: '/x' },
  });

/** Resumes a run of a user as another user, who has these numbers. */
function resumed(
  users: { started: string; resumes: string },
  numbers: Numbers | ApiError,
  highVolume = false,
) {
  const ctx = { sender: () => Promise.resolve(users.resumes), signal: new AbortController().signal };
  async function* list() {
    if (numbers instanceof ApiError) throw numbers;
    yield* numbers;
  }
  const run = { id: 'r', detail: { sender: users.started, highVolume }, from };
  return requireSameSender(ctx as never, { phoneNumbers: { list } } as never, run as never);
}

const rejected = { code: 'other_user', exit: 11 };

describe('a run of texts', () => {
  it('is resumed by the user who started it, whatever their numbers', async () => {
    await expect(resumed({ started: 'extension 1', resumes: 'extension 1' }, [])).resolves.toBeUndefined();
  });

  it('is not resumed by another user who can send from the same number', async () => {
    const users = { started: 'extension 1', resumes: 'extension 2' };
    await expect(resumed(users, own)).rejects.toMatchObject(rejected);
  });

  describe('is resumed with another access token', () => {
    const users = { started: 'token a', resumes: 'token b' };

    it.each([
      ['only with a number of the user', own, [], false],
      ['only with a number that can send texts', own, batchOnly, false],
      ['only with a number that can send batches, if the run sends batches', batchOnly, own, true],
    ])('%s', async (_, accepted, others, highVolume) => {
      await expect(resumed(users, accepted, highVolume)).resolves.toBeUndefined();
      await expect(resumed(users, others, highVolume)).rejects.toMatchObject(rejected);
    });

    it('if the user may not read the numbers, but not after another error', async () => {
      await expect(resumed(users, forbidden(403))).resolves.toBeUndefined();
      await expect(resumed(users, forbidden(500))).rejects.toMatchObject({ status: 500 });
    });
  });
});
