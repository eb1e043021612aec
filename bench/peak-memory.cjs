// Writes the peak memory of the process, in MB, to the file that UCCTL_BENCH_PEAK names. Loaded with --require.
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
  const file = process.env.UCCTL_BENCH_PEAK;
  if (file) writeFileSync(file, String(process.resourceUsage().maxRSS / 1024));
});
