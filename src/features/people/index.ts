export { openPeople, peopleRunKind, presentOf, type People } from './kind.ts';
export { readPeopleFile, titleOf } from './read-file.ts';
export { personSettings } from './settings.ts';
