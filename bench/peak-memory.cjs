// Writes the peak memory of the process, in MB, to the file that UCCTL_BENCH_PEAK names. Loaded with --require.
const { readFileSync, writeFileSync } = require('node:fs');

/**
 * resourceUsage() would include the memory that the parent had when it started this process: Linux carries that over.
 */
function peakKilobytes() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}

process.on('exit', () => {
  const file = process.env.UCCTL_BENCH_PEAK;
  if (file) writeFileSync(file, String(peakKilobytes() / 1024));
});
