import { writeFileSync } from 'node:fs';

// Loaded before the measured script: leaves behind what the process took.
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { cpuS: (userCPUTime + systemCPUTime) / 1e6, rssMb: maxRSS / 1024 };
  if (process.env.BENCH_USAGE !== undefined) writeFileSync(process.env.BENCH_USAGE, JSON.stringify(usage));
});
