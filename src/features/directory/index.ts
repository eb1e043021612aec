export { Directory, type Lookup } from './directory.ts';
export { openDirectory } from './open.ts';
