import type { Handler, Routes } from '../request/call.ts';
import { notFound } from '../request/errors.ts';
import { countryData, locationData, stateData, timezoneData } from './data.ts';
import { chosenLanguage } from './language.ts';
import { listReply, pageOf, type ListRequest } from '../request/paging.ts';
import { addressOf } from '../request/uris.ts';
import type { World } from '../world/world.ts';

const dictionary = '/restapi/v1.0/dictionary';

const countries = countryData.map(({ isoCode, callingCode }, index) => ({
  id: String(index + 1),
  isoCode,
  callingCode,
}));
const countryIds = new Map(countries.map(({ isoCode, id }) => [isoCode, id] as const));

/** The states of each country, parsed from items of the form `CODE name`. */
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

/** The locations, parsed from items of the form `STATE:city areacode`. */
const locations = items(locationData).map((item, index) => ({
  id: String(index + 1),
  stateId: stateIds.get(item.slice(0, 2)) ?? '',
  city: item.slice(3, -4),
  areaCode: item.slice(-3),
}));

/** The time zones, parsed from items of the form `name minutes`. */
const timezones = items(timezoneData).map((item, index) => {
  const [name = '', bias = '0'] = item.split(' ');
  return { id: String(index + 1), name, bias };
});

/** Serves GET dictionary/country. Names are in the language of the Accept-Language header. */
const listCountries: Handler<'listCountries'> = ({ world, query, headers }) => {
  const { language, toCountry } = countryIn(world, headers);
  const json = pageOfList(requestOf(world, 'country', query), countries, toCountry);
  return { json, headers: { 'content-language': language } };
};

/** Serves GET dictionary/country/{countryId}. */
const readCountry: Handler<'readCountry'> = ({ world, params, headers }) => {
  const country = countries.find(({ id }) => id === params['countryId']);
  if (!country) throw notFound('countryId');
  const { language, toCountry } = countryIn(world, headers);
  return { json: toCountry(country), headers: { 'content-language': language } };
};

/** Returns the reply for a country, in the language of the Accept-Language header. */
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

/** Serves GET dictionary/state: all states, or the states of one country. */
const listStates: Handler<'listStates'> = ({ world, query }) => {
  const { countryId } = query;
  const rows = states.filter((state) => countryId === undefined || state.countryId === countryId);
  const json = pageOfList(requestOf(world, 'state', query, { countryId }), rows, (state) => ({
    uri: uri(world, 'state', state.id),
    id: state.id,
    name: state.name,
    isoCode: state.isoCode,
    country: { id: state.countryId, uri: uri(world, 'country', state.countryId) },
  }));
  return { json };
};

/** Serves GET dictionary/location: all locations, or the locations of one state. */
const listLocations: Handler<'listLocations'> = ({ world, query }) => {
  const { stateId } = query;
  const rows = locations.filter((location) => stateId === undefined || location.stateId === stateId);
  const json = pageOfList(requestOf(world, 'location', query, { stateId }), rows, (location) => ({
    uri: uri(world, 'location', location.id),
    id: location.id,
    city: location.city,
    areaCode: location.areaCode,
    npa: location.areaCode,
    state: { id: location.stateId, uri: uri(world, 'state', location.stateId) },
  }));
  return { json };
};

/** Serves GET dictionary/timezone. */
const listTimezones: Handler<'listTimezones'> = ({ world, query }) => {
  const json = pageOfList(requestOf(world, 'timezone', query), timezones, ({ id, name, bias }) => ({
    uri: uri(world, 'timezone', id),
    id,
    name,
    description: name.replaceAll('_', ' '),
    bias,
  }));
  return { json };
};

/** Serves GET /restapi and /restapi/v1.0 (BASE-16). */
const readApiVersions: Handler<'readApiVersions'> = ({ world }) => ({
  json: {
    uri: addressOf(world, '/restapi'),
    apiVersions: [
      {
        uri: addressOf(world, '/restapi/v1.0'),
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
  return addressOf(world, `${dictionary}/${name}/${id}`);
}

function requestOf(
  world: World,
  name: string,
  query: Parameters<typeof pageOf>[0],
  filters: ListRequest['filters'] = {},
): ListRequest {
  return { world, path: `${dictionary}/${name}`, filters, page: pageOf(query) };
}

function pageOfList<Row, Item>(request: ListRequest, all: readonly Row[], toItem: (row: Row) => Item) {
  const { limit, offset } = request.page.window;
  const slice = { rows: all.slice(offset, offset + limit), total: all.length };
  return listReply(request, slice, toItem);
}
