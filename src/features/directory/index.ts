export { Directory } from './directory.ts';
export { openDirectory } from './open.ts';
