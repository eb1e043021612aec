export { startInspector, type Inspector } from './serve.ts';
