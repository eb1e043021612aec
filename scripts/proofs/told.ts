import type { Result } from './result.ts';

/** A proof that tells what it finds as it goes, and throws when its promise does not hold. Full size only. */
export type Telling = (say: (line: string) => void) => Promise<void>;

/** Brings a telling proof into the shape of the others: its last line is the figure. */
export function told(promise: string, prove: Telling): { run(): Promise<readonly Result[]> } {
  return {
    async run() {
      const lines: string[] = [];
      await prove((line) => {
        process.stdout.write(`  ${line}\n`);
        lines.push(line);
      });
      return [{ promise, figure: lines.at(-1) ?? 'done', holds: true }];
    },
  };
}
