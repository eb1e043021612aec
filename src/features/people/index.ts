export { openPeople, peopleRunKind, personItem, presentOf } from './kind.ts';
export { readPeopleFile } from './read-file.ts';
