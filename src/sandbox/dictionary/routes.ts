import type { Handler, Routes } from '../request/call.ts';
import { notFound } from '../request/errors.ts';
import { countryData, locationData, stateData, timezoneData } from './data.ts';
import { chosenLanguage } from './language.ts';
import { listReply, pageOf, type Page } from '../request/paging.ts';
import type { World } from '../world/world.ts';

const dictionary = '/restapi/v1.0/dictionary';

const countries = countryData.map(({ isoCode, callingCode }, index) => ({
  id: String(index + 1),
  isoCode,
  callingCode,
}));
const countryIds = new Map(countries.map(({ isoCode, id }) => [isoCode, id] as const));

/** `CODE name`, separated by commas. */
const states = Object.entries(stateData)
  .flatMap(([country, text]) =>
    items(text).map((item) => ({
      isoCode: item.slice(0, 2),
      name: item.slice(3),
      countryId: countryIds.get(country) ?? '',
    })),
  )
  .map(({ isoCode, name, countryId }, index) => ({ id: String(index + 1), isoCode, name, countryId }));
const stateIds = new Map(states.map(({ isoCode, id }) => [isoCode, id] as const));

/** `STATE:city areacode`. */
const locations = items(locationData).map((item, index) => ({
  id: String(index + 1),
  stateId: stateIds.get(item.slice(0, 2)) ?? '',
  city: item.slice(3, -4),
  areaCode: item.slice(-3),
}));

/** `name minutes`. */
const timezones = items(timezoneData).map((item, index) => {
  const [name = '', bias = '0'] = item.split(' ');
  return { id: String(index + 1), name, bias };
});

/** GET dictionary/country. Names come in the language that is asked for. */
const listCountries: Handler<'listCountries'> = ({ world, query, headers }) => {
  const { language, toCountry } = countryIn(world, headers);
  const json = pageOfList(world, 'country', {}, pageOf(query), countries, toCountry);
  return { json, headers: { 'content-language': language } };
};

/** GET dictionary/country/{countryId}. */
const readCountry: Handler<'readCountry'> = ({ world, params, headers }) => {
  const country = countries.find(({ id }) => id === params['countryId']);
  if (!country) throw notFound('countryId');
  const { language, toCountry } = countryIn(world, headers);
  return { json: toCountry(country), headers: { 'content-language': language } };
};

/** A country as the service answers it, in the language that is asked for. */
function countryIn(world: World, headers: Headers) {
  const language = chosenLanguage(headers.get('accept-language'));
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return {
    language,
    toCountry: ({ id, isoCode, callingCode }: (typeof countries)[number]) => ({
      uri: uri(world, 'country', id),
      id,
      name: names.of(isoCode) ?? isoCode,
      isoCode,
      callingCode,
    }),
  };
}

/** GET dictionary/state: all, or those of one country. */
const listStates: Handler<'listStates'> = ({ world, query }) => {
  const { countryId } = query;
  const rows = states.filter((state) => countryId === undefined || state.countryId === countryId);
  const json = pageOfList(world, 'state', { countryId }, pageOf(query), rows, (state) => ({
    uri: uri(world, 'state', state.id),
    id: state.id,
    name: state.name,
    isoCode: state.isoCode,
    country: { id: state.countryId, uri: uri(world, 'country', state.countryId) },
  }));
  return { json };
};

/** GET dictionary/location: all, or those of one state. */
const listLocations: Handler<'listLocations'> = ({ world, query }) => {
  const { stateId } = query;
  const rows = locations.filter((location) => stateId === undefined || location.stateId === stateId);
  const json = pageOfList(world, 'location', { stateId }, pageOf(query), rows, (location) => ({
    uri: uri(world, 'location', location.id),
    id: location.id,
    city: location.city,
    areaCode: location.areaCode,
    npa: location.areaCode,
    state: { id: location.stateId, uri: uri(world, 'state', location.stateId) },
  }));
  return { json };
};

/** GET dictionary/timezone. */
const listTimezones: Handler<'listTimezones'> = ({ world, query }) => {
  const json = pageOfList(world, 'timezone', {}, pageOf(query), timezones, ({ id, name, bias }) => ({
    uri: uri(world, 'timezone', id),
    id,
    name,
    description: name.replaceAll('_', ' '),
    bias,
  }));
  return { json };
};

/** GET /restapi and /restapi/v1.0 (BASE-16). */
const readApiVersions: Handler<'readApiVersions'> = ({ world }) => ({
  json: {
    uri: `${world.baseUrl}/restapi`,
    apiVersions: [
      {
        uri: `${world.baseUrl}/restapi/v1.0`,
        versionString: '1.0.9',
        releaseDate: '2016-02-26T00:00:00.000Z',
        uriString: 'v1.0',
      },
    ],
    serverVersion: '8.0',
    serverRevision: 'sandbox',
  },
});

/** Dictionaries, and the versions of the interface. */
export const dictionaryRoutes = {
  listCountries,
  readCountry,
  listStates,
  listLocations,
  listTimezones,
  readApiVersions,
} satisfies Routes;

function items(text: string): readonly string[] {
  return text.split(',').map((item) => item.trim().replaceAll(/\s+/g, ' '));
}

function uri(world: World, name: string, id: string): string {
  return `${world.baseUrl}${dictionary}/${name}/${id}`;
}

function pageOfList<Row, Item>(
  world: World,
  name: string,
  filters: Readonly<Record<string, string | undefined>>,
  page: Page,
  all: readonly Row[],
  toItem: (row: Row) => Item,
) {
  const { limit, offset } = page.window;
  const slice = { rows: all.slice(offset, offset + limit), total: all.length };
  return listReply(world, `${dictionary}/${name}`, filters, page, slice, toItem);
}
