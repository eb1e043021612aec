import { describe, expect, it } from 'vitest';
import { buildClient } from '../../src/client/index.ts';
import { fakeReply, plainSettings } from '../support/fake-service.ts';

const client = buildClient({ ...plainSettings, http: () => Promise.resolve(fakeReply({ status: 200 })) });

/** Returns the names of all methods of a resource. */
function methodsOf(resource: object): readonly string[] {
  const prototype: object = Object.getPrototypeOf(resource) as object;
  return Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
}

/** Calls a method and returns whether it threw instead of returning a promise or a generator. */
async function throws(resource: object, method: string, argument: unknown): Promise<boolean> {
  try {
    const result: unknown = Reflect.apply(Reflect.get(resource, method) as () => unknown, resource, [
      argument,
      '',
      '',
    ]);
    await Promise.resolve(result).catch(() => undefined);
    return false;
  } catch {
    return true;
  }
}

describe('methods of the client with invalid arguments', () => {
  const resources = Object.entries(client).filter(([, value]) => typeof value === 'object');

  // `ids.map((id) => client.extensions.get(id))` must return promises for all IDs, valid or not.
  it.each(resources)('%s returns a promise that rejects', async (_name, resource) => {
    const thrown: string[] = [];
    for (const method of methodsOf(resource as object)) {
      // Lists return a generator, and its caller reads it in the same statement.
      if (['list', 'members', 'messages', 'forwarding'].includes(method)) continue;
      if (await throws(resource as object, method, '')) thrown.push(method);
    }
    expect(thrown).toEqual([]);
  });

  it('names the invalid value', async () => {
    await expect(client.extensions.get('')).rejects.toThrow('"" is not a valid path segment');
  });
});
