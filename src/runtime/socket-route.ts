export type { SocketRoute } from '../client/network.ts';
