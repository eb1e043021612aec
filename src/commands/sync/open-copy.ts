export { changeCopy, readCopy, requireCopy } from '../../features/mirror/index.ts';
