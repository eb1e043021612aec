/** Shows how far a long benchmark is, with the time since the start of the process. */
export function showProgress(text: string): void {
  process.stderr.write(`${process.uptime().toFixed(0).padStart(5)} s  ${text}\n`);
}
