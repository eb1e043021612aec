export { fileValuesOf, omittedOf, openPeople, peopleRunKind, personItem } from './kind.ts';
export { readPeopleFile } from './read-file.ts';
