export { company, hoursKind, hoursRunKind } from './kind.ts';
export { protectedOwners } from './protected.ts';
export { readHoursFile } from './read-file.ts';
export { fileDays, fileItem, hoursItem, valuesOf } from './values.ts';
