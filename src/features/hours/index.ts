export { company, hoursKind, hoursRunKind } from './kind.ts';
export { readHoursFile } from './read-file.ts';
export { days, valuesOf } from './values.ts';
