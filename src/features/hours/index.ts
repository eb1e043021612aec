export { hoursKind, hoursRunKind } from './kind.ts';
export { readHoursFile } from './read-file.ts';
export { fileDays, fileItem, hoursItem, valuesOf } from './values.ts';
