import { ucctl, type CommandText } from '../../errors/hint.ts';

/** The parts of an account that files describe, in the order of the export. */
export const partNames = ['queues', 'people', 'hours', 'rules'] as const;
export type PartName = (typeof partNames)[number];

/** Returns the file of a part in the folder. */
export function fileOf(part: PartName): string {
  return `${part}.yaml`;
}

const nouns = { queues: 'queue', people: 'agent', hours: 'hours', rules: 'rule' } as const;

/** Returns the command that shows what the file of a part would change. @param path the file as the user can type it */
export function planCommandOf(part: PartName, path: string): CommandText {
  return ucctl`${nouns[part]} plan -f ${path}`;
}
