#!/usr/bin/env node
// A fault of the program is no verdict: Node would end with 1, which says findings.
process.on('uncaughtExceptionMonitor', () => {
  process.on('exit', () => {
    process.exitCode = 2;
  });
});
await import('../dist/cli/main.js');
