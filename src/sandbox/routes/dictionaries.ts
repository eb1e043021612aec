import { unserved } from '../unserved.ts';

export const dictionaryRoutes = {
  listCountries: unserved,
  listStates: unserved,
  listLocations: unserved,
  listTimezones: unserved,
  readApiVersions: unserved,
};
