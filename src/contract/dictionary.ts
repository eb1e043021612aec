import { z } from 'zod';
import { listOf, PageQuery } from './common.ts';

export const Country = z.strictObject({
  uri: z.url(),
  id: z.string(),
  name: z.string(),
  isoCode: z.string(),
  callingCode: z.string(),
});
const Reference = z.strictObject({ id: z.string(), uri: z.url() });
const State = z.strictObject({
  uri: z.url(),
  id: z.string(),
  name: z.string(),
  isoCode: z.string(),
  country: Reference.optional(),
});
const Location = z.strictObject({
  uri: z.url(),
  id: z.string(),
  city: z.string(),
  areaCode: z.string(),
  npa: z.string().optional(),
  state: Reference,
});
const Timezone = z.strictObject({
  uri: z.url(),
  id: z.string(),
  name: z.string(),
  description: z.string(),
  bias: z.string(),
});

/** Common dictionaries, which a signup session may read (DICT-1, OAUTH-30). */
export const CountryList = listOf(Country);
export const StateList = listOf(State);
export const LocationList = listOf(Location);
export const TimezoneList = listOf(Timezone);

export const StateQuery = PageQuery.extend({ countryId: z.string().optional() });
export const LocationQuery = PageQuery.extend({ stateId: z.string().optional() });

const ApiVersion = z.strictObject({
  uri: z.url(),
  versionString: z.string(),
  releaseDate: z.string(),
  uriString: z.string(),
});
/** The reply to GET /restapi (BASE-16). */
export const ApiVersions = z.strictObject({
  uri: z.url(),
  apiVersions: z.array(ApiVersion),
  serverVersion: z.string(),
  serverRevision: z.string(),
});
