import { ucctl } from '../../errors/hint.ts';

/** The command that lets tasks remove messages that the service deleted. */
export const enrollPurge = ucctl('fleet enroll --extension EXT --on-delete purge');
