import { expect, it } from 'vitest';
import type { Client } from '../../../../src/client/index.ts';
import { ApiError } from '../../../../src/errors/service.ts';
import { AddressRejectedError, openSubscription } from '../../../../src/features/live/subscription/create.ts';

const cause = (errorCode: string): ApiError =>
  new ApiError({
    status: 400,
    errorCode,
    message: 'no validation token',
    request: { method: 'POST', path: '/restapi/v1.0/subscription' },
  });

/** Creates a subscription, which the service rejects with this error. */
function rejectedWith(rejection: ApiError) {
  const address = 'https://user:secret@hooks.example/events';
  const api = { subscriptions: { create: () => Promise.reject(rejection) } };
  return openSubscription(
    api as unknown as Pick<Client, 'subscriptions'>,
    {
      eventFilters: ['/restapi/v1.0/account/~/presence'],
      deliveryMode: { transportType: 'WebHook', address },
    },
    undefined,
    new AbortController().signal,
  );
}

it('reports a rejected address without its password, also with another next step', async () => {
  const error = await rejectedWith(cause('SUB-521')).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AddressRejectedError);
  const message = 'the service rejected the address https://***@hooks.example/events: no validation token';
  expect(error).toMatchObject({ code: 'address_rejected', message });
  expect((error as AddressRejectedError).with('use another address')).toMatchObject({
    message,
    hint: 'use another address',
    cause: { code: 'SUB-521' },
  });
});

it('reports any other rejection of a subscription unchanged', async () => {
  const error = cause('SUB-505');
  await expect(rejectedWith(error)).rejects.toBe(error);
});
