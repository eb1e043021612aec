export { startInspector } from './serve.ts';
