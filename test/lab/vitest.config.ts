import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: { include: ['test/lab/*.lab.ts'], testTimeout: 600_000, hookTimeout: 120_000, disableConsoleIntercept: true },
});
