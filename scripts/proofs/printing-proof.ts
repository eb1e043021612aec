import type { Result } from './result.ts';

/** A proof that prints its results while it runs, and throws if its promise is not met. It has no reduced size. */
export type PrintingProof = (say: (line: string) => void) => Promise<void>;

/** Adapts a printing proof to the interface of other proofs. The last printed line is the figure. */
export function printingProof(promise: string, prove: PrintingProof): { run(): Promise<readonly Result[]> } {
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
