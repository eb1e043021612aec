import { expect, it } from 'vitest';
import { libraryMethodsPage } from '../../scripts/documents/library-methods.ts';
import { buildClient, dialects } from '../../src/client/index.ts';
import { fakeService, plainSettings } from '../support/fake-service.ts';

it.each(Object.entries(dialects))(
  'the page names every method of a client of dialect %s',
  (_name, dialect) => {
    const client = buildClient({ ...plainSettings, http: fakeService([]).http, dialect });
    const resources = Object.entries(client).filter(
      ([name, one]) => typeof one === 'object' && name !== 'transport',
    );
    const sections = new Map(
      libraryMethodsPage()
        .split('\n## ')
        .map((section) => [section.split('\n')[0], section] as const),
    );
    expect(resources.length).toBeGreaterThan(15);
    for (const [name, resource] of resources) {
      const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(resource) as object);
      const listed = [...(sections.get(name) ?? '').matchAll(/^\| `(\w+)\(/gm)].map(([, method]) => method);
      const expected =
        name === 'departments' ? ['members', 'bulkAssign'] : methods.filter((one) => one !== 'constructor');
      expect([name, listed]).toEqual([name, expected]);
    }
  },
);
