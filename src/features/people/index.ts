export { openPeople, peopleRunKind, presentOf } from './kind.ts';
export { readPeopleFile } from './read-file.ts';
export { personSettings } from './settings.ts';
