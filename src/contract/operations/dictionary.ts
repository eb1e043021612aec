import { PageQuery } from '../common.ts';
import {
  Country,
  CountryList,
  LocationList,
  LocationQuery,
  StateList,
  StateQuery,
  TimezoneList,
} from '../dictionary.ts';
import type { Operation } from './operation.ts';

const dictionaries = '/restapi/v1.0/dictionary';

export const dictionary = {
  listCountries: {
    method: 'GET',
    path: `${dictionaries}/country`,
    section: 'Client credentials flow',
    summary: 'Lists countries',
    authorization: 'bearer',
    group: 'Light',
    query: PageQuery,
    status: 200,
    reply: CountryList,
  },
  readCountry: {
    method: 'GET',
    path: `${dictionaries}/country/{countryId}`,
    section: 'Client credentials flow',
    summary: 'Reads one country by ID',
    authorization: 'bearer',
    group: 'Light',
    status: 200,
    reply: Country,
  },
  listStates: {
    method: 'GET',
    path: `${dictionaries}/state`,
    section: 'Client credentials flow',
    summary: 'Lists states',
    authorization: 'bearer',
    group: 'Light',
    query: StateQuery,
    status: 200,
    reply: StateList,
  },
  listLocations: {
    method: 'GET',
    path: `${dictionaries}/location`,
    section: 'Client credentials flow',
    summary: 'Lists locations',
    authorization: 'bearer',
    group: 'Light',
    query: LocationQuery,
    status: 200,
    reply: LocationList,
  },
  listTimezones: {
    method: 'GET',
    path: `${dictionaries}/timezone`,
    section: 'Client credentials flow',
    summary: 'Lists time zones',
    authorization: 'bearer',
    group: 'Light',
    query: PageQuery,
    status: 200,
    reply: TimezoneList,
  },
} as const satisfies Record<string, Operation>;
